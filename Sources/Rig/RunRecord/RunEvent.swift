// SPDX-License-Identifier: MIT

/// What happens in a run, as it happens; reporters listen to it.
public enum RunEvent: Sendable {
    /// The run starts, with the number of cases that were selected.
    case runStarted(RunRecord, cases: Int)
    /// A suite starts.
    case suiteStarted(SuiteRecord)
    /// A case starts; `index` counts all cases of the run from 1.
    case caseStarted(suite: String, name: String, index: Int)
    /// An attempt ended and another one follows.
    case attemptEnded(suite: String, name: String, AttemptRecord)
    /// A step ended.
    case stepEnded(suite: String, name: String, StepRecord)
    /// A case ended.
    case caseEnded(suite: String, CaseRecord)
    /// A suite ended.
    case suiteEnded(SuiteRecord)
    /// Something that people should know while the run goes on.
    case note(String)
    /// The run waits for a reader or a card: for which, for how long, and who has it.
    case waiting(String)
    /// The run ended.
    case runEnded(RunRecord)
}

/// Somebody who listens to a run.
///
/// Called by one thread at a time.
public protocol RunObserver: AnyObject {
    /// Takes an event.
    func observe(_ event: RunEvent)
}

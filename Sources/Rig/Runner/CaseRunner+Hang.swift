// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import RunRecord
import Scenario

extension CaseRunner {
    /// Books a case whose call never returned, then tries once, within a bound, to reach the reader for the teardown.
    func giveUp(
        _ planned: PlannedCase,
        runner: AttemptRunner,
        fault: TransportFault,
        begin: Duration,
        supervisor: AttemptSupervisor
    ) {
        let progress = runner.progress
        let state = progress.snapshot
        let wasInTeardown = state.teardownSince != nil
        var hung = state.current ?? planned.connectRecord(route)
        hung.verdict = .error
        hung.duration = max(MonotonicTime.now - begin - hung.start, .zero)
        let booked = hung
        let problem = problem(of: fault, in: hung, isTeardown: wasInTeardown)
        progress.update {
            $0.record.steps.append(booked)
            $0.fresh.append(booked)
            $0.current = nil
            $0.teardownSince = nil
            $0.isConnected = false
            if wasInTeardown {
                $0.record.teardownProblem = problem
            } else {
                $0.record.verdict = .error
                $0.record.problem = problem
            }
        }
        // Whoever watches the run learns of the hang now, not after the rescue.
        report(progress, planned)
        let path = "\(options.outputFolder)/\(state.record.trace)"
        let count = TraceCompletion.append(
            fault,
            state: state,
            step: "\(hung.label) \(hung.title)",
            begin: begin,
            to: path
        )
        progress.update { $0.record.exchangeCount = count }
        let verdict = progress.snapshot.record
        rescue(planned, progress: progress, fault: fault, supervisor: supervisor)
        // The outcome of the case is settled, whatever the rescue met; its teardown may have found more.
        progress.update {
            $0.record.verdict = verdict.verdict
            $0.record.problem = verdict.problem
            if wasInTeardown { $0.record.teardownProblem = verdict.teardownProblem }
        }
        let digest = TraceCompletion.end(progress.snapshot.record, at: path)
        progress.update { $0.record.traceSHA256 = digest }
    }

    private func problem(of fault: TransportFault, in record: StepRecord, isTeardown: Bool) -> Problem {
        var problem = Problem.fault(fault, record: record)
        if isTeardown {
            problem.type = "TeardownFailed"
        } else if interruption.signal != nil {
            problem.type = "Interrupted"
        }
        return problem
    }

    /// Connects anew and runs the teardown; where not even a connection comes about, the reader is out of use.
    private func rescue(
        _ planned: PlannedCase,
        progress: AttemptProgress,
        fault: TransportFault,
        supervisor: AttemptSupervisor
    ) {
        let limit = supervisor.timeLeft
        guard !interruption.isImpatient, limit > .zero else { return }
        let runner = makeRunner(
            planned,
            progress: progress,
            trace: progress.snapshot.record.trace,
            teardownLimit: limit
        )
        let bounds = AttemptSupervisor(
            interruption: interruption,
            progress: progress,
            teardownLimit: limit,
            connectLimit: min(RunDefaults.reconnectLimit, limit)
        )
        let idle = progress.snapshot.idle
        let outcome = SupervisedWorker.perform({ watch in
            // A thread that hangs in a call to something else still holds the reader.
            idle?.closeForOwner()
            runner.run(.teardownOnly, watch: watch)
        }) {
            report(progress, planned)
            return bounds.look()
        }
        report(progress, planned)
        let state = progress.snapshot
        if case .abandoned(let second) = outcome {
            quarantine = state.isConnected ? second : fault
            progress.update {
                let open = $0.current ?? planned.teardownRecord
                var problem = Problem.fault(second, record: open)
                problem.type = "TeardownFailed"
                $0.record.teardownProblem = problem
                $0.current = nil
            }
        } else if !state.isConnected {
            quarantine = fault
        }
    }

    /// What people are told of a reader that is out of use.
    static func quarantineNote(_ place: String, _ fault: TransportFault) -> String {
        "\(place): out of use for the rest of the run: \(fault.detail)"
    }
}

// SPDX-License-Identifier: MIT

public import CardConnection
public import Scenario

/// Why a verb ended before its end.
public enum VerbStop: Error {
    /// A command before the last one did not answer 9000; nothing more was sent.
    case earlierCommand(what: String, Observation.Exchange)
    /// The card or the reader did not play along.
    case fault(TransportFault)
    /// A device library's typed error, by its name in the language.
    case device(name: String, detail: String)
    /// Something that the verb itself judges did not hold.
    case mismatch(Mismatch)
    /// An argument turned out unusable when its variables were filled in.
    case argument(ScenarioMistake)
}

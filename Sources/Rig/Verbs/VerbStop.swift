// SPDX-License-Identifier: MIT

public import CardConnection
public import Scenario

/// Why a verb ended before its end.
public enum VerbStop: Error {
    /// A command before the last one did not answer 9000; nothing more was sent.
    case earlierCommand(what: String, Observation.Exchange)
    /// The last command that made sense did not answer 9000; the step's expectation judges its status word.
    case ended
    /// The card or the reader did not play along.
    case fault(TransportFault)
    /// A device library's typed error, by its name in the language.
    case device(name: String, detail: String)
    /// Something that the verb itself judges did not hold.
    case mismatch(Mismatch)
    /// An argument turned out unusable when its variables were filled in.
    case argument(ScenarioMistake)

    /// The end of a library's sequence at a command that did not answer 9000.
    ///
    /// A SELECT comes before what the verb is about. The command that reads or writes is what the verb is about, and
    /// after a refusal it is the verb's last one.
    static func status(of exchange: Observation.Exchange, what: String) -> VerbStop {
        let isSelect = exchange.command.count > 1 && exchange.command[1] == 0xA4
        return isSelect ? .earlierCommand(what: what, exchange) : .ended
    }
}

// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Report
import Routes
import Scenario
import Verbs
import Wording

/// `taprig verbs`: the reference of the scenario language's words.
enum VerbsCommand {
    static let spec = CommandSpec(
        path: ["verbs"],
        summary: "Tells what verbs take and give, and what cases may need.",
        discussion:
            """
            Without a word all verbs are listed. 'needs' lists the capabilities that 'needs' may name, 'errors' the errors
            of device libraries that 'expect: {error: NAME}' may name.
            """,
        positionals: [
            PositionalSpec(
                "WORD",
                isRequired: false,
                summary: "A verb, a namespace such as nbt, 'needs' or 'errors'."
            )
        ],
        options: [OptionSpec("--markdown", summary: "Print the whole reference as a page.")],
        examples: ["taprig verbs", "taprig verbs kit.led", "taprig verbs needs"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let reference = VerbReference(
            vocabulary: .shipped,
            capabilities: CapabilityList.all.map { .init(word: $0.word, summary: $0.summary) }
        )
        let word = command.positionals.first
        if command.flag("--markdown") {
            guard word == nil else {
                throw .usage("--markdown prints the whole reference; leave the word out")
            }
            StandardStream.output.write(reference.markdown)
            return .held
        }
        guard let word else {
            tell(reference.overview)
            return .held
        }
        if word == "needs" {
            tell(reference.needsText)
            return .held
        }
        if word == "errors" {
            tell(reference.errorsText)
            return .held
        }
        if let overview = reference.overview(of: word) {
            tell(overview)
            return .held
        }
        let found = reference.verbs(named: word)
        guard !found.isEmpty else {
            let hint = Suggestion.nearest(to: word, among: reference.words + ["needs", "errors"])
            throw .usage(
                "there is no verb '\(word)'"
                    + (hint.map { "; did you mean '\($0)'?" } ?? "; `taprig verbs` lists them")
            )
        }
        tell(found.map(reference.text).joined(separator: "\n"))
        return .held
    }

    private static func tell(_ text: String) {
        StandardStream.output.write(TextWrap.lines(text, columns: StandardStream.output.columns))
    }
}

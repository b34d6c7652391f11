// SPDX-License-Identifier: MIT

extension VerbReference {
    /// The word of the core that the reader of scenarios knows by itself: it runs steps and is no verb of a device.
    static let use = VerbSpec(
        "use",
        "Runs the steps that stand under a name in an included file.",
        discussion: """
            `include: [lib/steps.yaml]` in the header names the file; its `steps` map names to a list of steps, or to
            `{args: [...], steps: [...]}`. What is captured inside stays inside.
            """,
        arguments: [
            ArgumentSpec("name", .text, isRequired: true, "the name of the steps"),
            ArgumentSpec("with", .map([]), "values for the `args` of the steps, by their names"),
        ],
        bare: "name",
        exchanges: false
    )

    static let useSentence =
        "It has no result of its own: beside it stand 'name', 'needs', 'optional', 'if' and 'on'; "
        + "all other keys belong to the steps that are used."
}

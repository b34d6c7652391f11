// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the OPTIGA Authenticate NBT.
let nbtVerbs: [Verb] =
    [versionVerb, memoryVerb, selectVerb, backendTestVerb] + nbtPolicyVerbs + nbtPasswordVerbs
    + nbtPersonalizationVerbs + nbtConfigurationVerbs + nbtBrandVerbs + nbtMessageVerbs + nbtPassThroughVerbs

private let versionVerb = Verb(
    VerbSpec(
        "nbt.version",
        "Reads the applet's version (GET DATA DF3A).",
        results: [ResultSpec("version", .text, "major.minor.build")]
    )
) { call in
    let version = try call.nbt { (commands) throws(NBTError) in try commands.version() }
    call.give("version", .text("\(version)"))
}

private let memoryVerb = Verb(
    VerbSpec(
        "nbt.memory",
        "Reads how much memory is free (GET DATA DF3B).",
        results: [
            ResultSpec("persistent", .number(0...65_535), "bytes of persistent memory"),
            ResultSpec("clear-on-reset", .number(0...65_535), "bytes that a reset clears"),
            ResultSpec("clear-on-deselect", .number(0...65_535), "bytes that a deselection clears"),
        ]
    )
) { call in
    let memory = try call.nbt { (commands) throws(NBTError) in try commands.availableMemory() }
    call.give("persistent", .number(memory.persistent))
    call.give("clear-on-reset", .number(memory.clearOnReset))
    call.give("clear-on-deselect", .number(memory.clearOnDeselect))
}

private let selectVerb = Verb(
    VerbSpec(
        "nbt.select",
        "Selects a file, and presents its passwords.",
        discussion: """
            The access policy says which password opens the file. A wrong one is answered with 9000 too; the read or write
            that follows is refused. What the answer says of a password is not published: `0000` is taken for wrong, `FFFF`
            for blocked, no response for unknown. Passwords and responses are hidden in traces and reports.
            """,
        arguments: [
            ArgumentSpec("file", .file, isRequired: true, "file id or name"),
            ArgumentSpec("read-password", .nbtPassword, "password for reading"),
            ArgumentSpec("write-password", .nbtPassword, "password for writing"),
            ArgumentSpec("le", .boolean, "whether Le 00 is sent; always so with a password"),
        ],
        bare: "file",
        results: [
            ResultSpec("read", .word(PasswordOutcome.words), "what became of the read password"),
            ResultSpec("write", .word(PasswordOutcome.words), "what became of the write password"),
            ResultSpec("read-response", .bytes, "the response to a right read password, 2 bytes"),
            ResultSpec("write-response", .bytes, "the response to a right write password, 2 bytes"),
        ]
    )
) { call in
    guard let file = try call.nbtFile() else { throw call.wrong("file", "it is missing") }
    let read = try call.password("read-password")
    let write = try call.password("write-password")
    let response = try call.sendOnly("file") { () throws(NBTError) in
        try NBTCommandBuilder.select(
            file: file,
            readPassword: read,
            writePassword: write,
            expectsAnswer: call.boolean("le") ?? false
        )
    }
    guard response.sw == .success else { return }
    if read != nil { call.give("read", .text(PasswordOutcome.unknown.word)) }
    if write != nil { call.give("write", .text(PasswordOutcome.unknown.word)) }
    // The chip says nothing of a password that it was not asked to look at.
    let tags = [
        ("read", read, NBTInstruction.readPasswordTag), ("write", write, NBTInstruction.writePasswordTag),
    ].filter { $0.1 != nil && !call.session.nbtWatch.isOpen(file, tag: $0.2, isI2C: call.isI2C) }
    let outcomes = NBTResponseParser.passwordOutcomes(response.data, presented: tags.map(\.2))
    for (tag, outcome) in zip(tags, outcomes) {
        call.give(tag.0, .text(outcome.word))
        call.give("\(tag.0)-response", .optional(outcome.response))
    }
}

private let backendTestVerb = Verb(
    VerbSpec(
        "nbt.backend-test",
        "Runs self-tests of the chip; over I2C alone (BACKEND TEST).",
        arguments: [
            ArgumentSpec(
                "tests",
                .filledList(.word(BackendTests.words.map(\.word))),
                "which tests; all seven by default"
            )
        ],
        results: [
            ResultSpec("passed", .list(.any), "the tests that passed"),
            ResultSpec("failed", .list(.any), "those that were run and did not"),
        ]
    )
) { call in
    var tests = BackendTests.all
    if case .list(let words)? = call.argument("tests") {
        tests = BackendTests(
            BackendTests.words.filter { words.contains(.text($0.word)) }.map(\.test)
        )
    } else if let word = call.text("tests") {
        tests = BackendTests(BackendTests.words.filter { $0.word == word }.map(\.test))
    }
    let passed = try call.nbt { (commands) throws(NBTError) in try commands.backendTest(tests) }
    call.give("passed", .list(passed.words.map { .text($0) }))
    call.give("failed", .list(tests.subtracting(passed).words.map { .text($0) }))
}

// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard
import Wording

/// Verbs of the configurator.
let nbtConfigurationVerbs: [Verb] = [getVerb, setVerb]

private let settingArgument = ArgumentSpec(
    "setting",
    .checked(
        .text,
        ArgumentCheck("") { value in
            guard case .text(let text) = value, settingTag(text) == nil else { return nil }
            return unknownSetting(text)
        }
    ),
    isRequired: true,
    "a word of the list above, or the tag in hex"
)

private let selectArgument = ArgumentSpec(
    "select",
    .boolean,
    "whether the configurator is selected first; yes by default"
)

/// The settings with their values, for the text of help.
private let settingList: String = {
    ConfigurationCatalog.all.map { entry in
        let values = entry.values.map(\.word).joined(separator: ", ")
        return "- `\(entry.word)`: \(values.isEmpty ? valueText(entry) : values)"
    }.joined(separator: "\n")
}()

private func valueText(_ entry: ConfigurationCatalog.Entry) -> String {
    "\(entry.summary)\(entry.size.map { ", \($0) \($0 == 1 ? "byte" : "bytes")" } ?? "")"
}

private let getVerb = Verb(
    VerbSpec(
        "nbt.get-configuration",
        "Reads a setting of the configurator (GET CONFIGURATION).",
        discussion: """
            The configurator is selected for it, which deselects the tag application. Settings and their known values:

            \(settingList)
            """,
        arguments: [settingArgument, selectArgument],
        bare: "setting",
        results: [
            ResultSpec("value", .bytes, "the value"),
            ResultSpec("word", .text, "its word; absent when it is no known value"),
        ]
    )
) { call in
    let tag = try call.configurationTag()
    let selects = call.boolean("select") ?? true
    let value = try call.nbt { (commands) throws(NBTError) in
        if selects { try commands.selectConfigurator() }
        return try commands.configuration(tag)
    }
    call.give("value", .bytes(value))
    let word = ConfigurationCatalog.entry(of: tag)?.values.first { $0.bytes == value }?.word
    call.give("word", word.map { .text($0) })
}

private let setVerb = Verb(
    VerbSpec(
        "nbt.set-configuration",
        "Writes a setting of the configurator, which counts from the next reset on (SET CONFIGURATION).",
        discussion: """
            The configurator is selected for it, which deselects the tag application. `nbt.get-configuration` lists the
            settings. The flash loader is never written: the error `refused`. Destructive are `life-cycle` and `interfaces`
            without NFC: on a real card they are written only in a case tagged `destructive`, on an allowed sample.
            """,
        arguments: [
            settingArgument,
            ArgumentSpec("value", .text, isRequired: true, "a word of the setting, or bytes"),
            selectArgument,
        ],
        rules: [
            ArgumentRule(["setting", "value"]) { values in
                guard case .text(let setting)? = values["setting"], case .text(let text)? = values["value"],
                    let tag = settingTag(setting)
                else { return nil }
                guard let value = settingValue(text, of: tag) else {
                    return ArgumentRule.Complaint("value", unknownValue(text, of: tag))
                }
                return complaint(about: "value") { () throws(NBTError) in
                    try NBTCommandBuilder.setConfiguration(tag, value: value)
                }
            }
        ]
    )
) { call in
    let tag = try call.configurationTag()
    let value = try call.configurationValue(of: tag)
    // Built first, so that a refused setting costs no SELECT.
    let command = try call.made(of: "value") { () throws(NBTError) in
        try NBTCommandBuilder.setConfiguration(tag, value: value)
    }
    try call.refuseDanger(of: command.bytes, selected: nil)
    let selects = call.boolean("select") ?? true
    try call.nbt { (commands) throws(NBTError) in
        if selects { try commands.selectConfigurator() }
        try commands.perform(command)
    }
}

extension VerbCall {
    /// The setting that is meant: a word, or a tag.
    fileprivate func configurationTag() throws(VerbStop) -> ConfigurationTag {
        guard let text = text("setting") else { throw wrong("setting", "it is missing") }
        guard let tag = settingTag(text) else { throw wrong("setting", unknownSetting(text)) }
        return tag
    }

    /// The value that is meant: a word of the setting, or bytes.
    fileprivate func configurationValue(of tag: ConfigurationTag) throws(VerbStop) -> [UInt8] {
        if case .bytes(let bytes) = argument("value") { return bytes }
        guard let text = text("value") else { throw wrong("value", "it is missing") }
        guard let bytes = settingValue(text, of: tag) else {
            throw wrong("value", unknownValue(text, of: tag))
        }
        return bytes
    }
}

/// The setting of a word or of a tag in hex; nil when it is neither.
private func settingTag(_ text: String) -> ConfigurationTag? {
    if let entry = ConfigurationCatalog.entry(word: text) { return entry.tag }
    guard let bytes = try? HexText.bytes(text), bytes.count == 2 else { return nil }
    return ConfigurationTag(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
}

private func unknownSetting(_ text: String) -> String {
    let near = Suggestion.nearest(to: text, among: ConfigurationCatalog.all.map(\.word))
    let hint = near.map { "; did you mean '\($0)'?" } ?? ""
    return "'\(text)' is neither a setting nor a tag of two bytes\(hint)"
}

/// The bytes of a setting's word, or of hex; nil when the text is neither.
private func settingValue(_ text: String, of tag: ConfigurationTag) -> [UInt8]? {
    let known = ConfigurationCatalog.entry(of: tag)?.values ?? []
    if let value = known.first(where: { $0.word == text }) { return value.bytes }
    guard let bytes = try? HexText.bytes(text), !bytes.isEmpty else { return nil }
    return bytes
}

private func unknownValue(_ text: String, of tag: ConfigurationTag) -> String {
    let words = (ConfigurationCatalog.entry(of: tag)?.values ?? []).map(\.word)
    let list = words.isEmpty ? "" : " nor one of: \(words.joined(separator: ", "))"
    return words.isEmpty ? "'\(text)' is no hex text" : "'\(text)' is neither hex\(list)"
}

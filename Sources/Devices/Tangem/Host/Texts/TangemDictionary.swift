// SPDX-License-Identifier: MIT

public import SmartCard
public import TangemConstants

/// Names for what goes over the wire, for traces and scenarios.
public enum TangemDictionary {
    /// The name of a command, for example `READ wallet`; nil when the card has no such command.
    ///
    /// The body of an encrypted command cannot be seen, so its name stops at the instruction.
    public static func name(of command: CommandAPDU) -> String? {
        guard command.cla == TangemInstruction.cla else { return nil }
        let instruction = TangemInstruction(rawValue: command.ins)
        if instruction == .select {
            return command.data == TangemLimits.walletAID ? "SELECT wallet application" : nil
        }
        guard let name = instruction.name else { return nil }
        if instruction == .openSession {
            return "\(name) \(command.p2 == TangemEncryption.strong ? "strong" : "fast")"
        }
        guard command.p1 == TangemEncryption.none else { return "\(name) (encrypted)" }
        guard let objects = try? CardObjects(parsing: command.data),
            let mode = (try? objects.byte(.interactionMode)) ?? nil, let word = modes[instruction]?[mode]
        else { return name }
        return "\(name) \(word)"
    }

    /// Finds a tag by its name, for example `cardId`.
    public static func tag(named name: String) -> TangemTag? { tags[name] }

    /// The names of all tags.
    public static let tagNames: [String] = TangemTag.all.compactMap(\.name)

    /// The name of a tag; nil when it has none.
    public static func name(of tag: TangemTag) -> String? { tag.name }

    /// Tags whose values are secret: traces and reports hide them in commands and answers.
    ///
    /// Codes and their digests, private keys, and what a session key is made of.
    public static let secretTags: [TangemTag] = [
        .pin, .pin2, .newPIN, .newPIN2, .newPIN3, .cvc, .codeHash, .crExKey, .walletPrivateKey, .resetPIN,
        .sessionKeyA, .sessionKeyB,
    ]

    /// The meaning of a status word by itself; nil when nobody has published one.
    public static func meaning(of sw: StatusWord) -> String? {
        if sw == TangemStatus.needPause { return "the security delay runs, send the command again" }
        guard let name = TangemStatus.names.first(where: { $0.sw == sw })?.name else { return nil }
        guard let error = TangemError(sw: sw) else { return name }
        return "\(name): \(error.kind.sentence)"
    }

    /// Everything in a body, one line an object, with the names of tags; secrets are shown as stars.
    public static func lines(of objects: CardObjects) -> [String] {
        objects.items.flatMap { object in lines(of: object, indent: "") }
    }

    private static func lines(of object: CardObject, indent: String) -> [String] {
        let head = "\(indent)\([object.tag.rawValue].hex) \(object.tag.name ?? "?")"
        if secretTags.contains(object.tag) {
            return ["\(head) \(String(repeating: "*", count: 2 * object.value.count))"]
        }
        if object.tag.kind == .nested, let list = try? CardObjects(parsing: object.value) {
            return [head] + list.items.flatMap { lines(of: $0, indent: indent + "  ") }
        }
        let list = CardObjects([object])
        let words: String? =
            switch object.tag.kind {
            case .text: ((try? list.text(object.tag)) ?? nil).map { "'\($0)'" }
            case _ where object.tag == .pause:
                ((try? list.number(object.tag)) ?? nil).map { seconds(hundredths: $0) }
            case .number8, .number16, .number32, .number:
                ((try? list.number(object.tag)) ?? nil).map(String.init)
            case .date: ((try? list.date(object.tag)) ?? nil).map(\.description)
            default: nil
            }
        let hex = object.value.hex
        return [[head, hex, words.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")]
    }

    private static func seconds(hundredths: Int) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }

    private static let tags: [String: TangemTag] = {
        var tags: [String: TangemTag] = [:]
        for tag in TangemTag.all { if let name = tag.name { tags[name] = tag } }
        return tags
    }()

    private static let modes: [TangemInstruction: [UInt8: String]] = [
        .read: [
            TangemMode.readCard: "card", TangemMode.readWallet: "wallet",
            TangemMode.readWalletsList: "wallets",
        ],
        .attestCardKey: [TangemMode.attestCardFull: "full"],
        .writeIssuerData: [
            TangemMode.start: "extra start", TangemMode.block: "extra block", TangemMode.finish: "extra end",
        ],
        .readIssuerData: [TangemMode.readExtraData: "extra"],
        .writeFileData: [
            TangemMode.start: "start", TangemMode.block: "block", TangemMode.finish: "end",
            TangemMode.deleteFile: "delete", TangemMode.changeFileSettings: "settings",
        ],
        .readFileData: [TangemMode.readFileChecksum: "checksum"],
        .authorize: [
            TangemMode.tokenGet: "token", TangemMode.tokenSign: "sign token",
            TangemMode.tokenAuthenticate: "authenticate",
        ],
    ]
}

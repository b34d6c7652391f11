// SPDX-License-Identifier: MIT

import NBTConstants
public import Scenario
import SmartCard
import Tangem
import TangemConstants

/// The names that scenarios may use instead of bytes, for each target.
public enum Dictionaries {
    /// The targets of this program, with their names.
    public static let all: [DeviceDictionary] = [
        DeviceDictionary(target: "nbt", bytes: nbtNames),
        DeviceDictionary(target: "iso7816"),
        DeviceDictionary(
            target: "tangem",
            bytes: tangemNames,
            tags: tangemTags,
            isFlat: true,
            nested: tangemLists,
            statusWords: tangemStatusWords
        ),
    ]

    /// The names of one target; nil when the program does not know it.
    public static func of(_ target: String) -> DeviceDictionary? {
        all.first { $0.target == target }
    }

    private static var nbtNames: [String: [UInt8]] {
        var names: [String: [UInt8]] = [:]
        for file in NBTFile.all { if let name = file.name { names[name] = file.idBytes } }
        return names
    }

    private static var tangemNames: [String: [UInt8]] { ["WALLET": TangemLimits.walletAID] }

    /// Source: the vendor's public library, revision 3.22.0: production data, wallets, certificates, links of a backup.
    private static var tangemLists: Set<String> {
        Set(
            [TangemTag.cardData, .walletData, .cardWallet, .certificate, .backupCardLink].map {
                [$0.rawValue].hex
            }
        )
    }

    private static var tangemStatusWords: [StatusWord: String] {
        var words: [StatusWord: String] = [:]
        for (sw, _) in TangemStatus.names where sw != TangemStatus.completed {
            words[sw] = TangemDictionary.meaning(of: sw)
        }
        return words
    }

    private static var tangemTags: [String: String] {
        var tags: [String: String] = [:]
        for name in TangemDictionary.tagNames {
            if let tag = TangemDictionary.tag(named: name) { tags[name] = [tag.rawValue].hex }
        }
        return tags
    }
}

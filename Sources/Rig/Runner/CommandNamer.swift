// SPDX-License-Identifier: MIT

import NBT
import SmartCard
import Tangem

/// Names of commands for the trace, by a target's own dictionary.
enum CommandNamer {
    /// The namer of a target; nil from it leaves the name to ISO/IEC 7816-4.
    static func of(_ target: String) -> ([UInt8]) -> String? {
        let name: (CommandAPDU) -> String?
        switch target {
        case "nbt": name = NBTDictionary.name
        case "tangem": name = TangemDictionary.name
        default: return { _ in nil }
        }
        return { bytes in
            guard let command = try? CommandAPDU(bytes: bytes) else { return nil }
            return name(command)
        }
    }
}

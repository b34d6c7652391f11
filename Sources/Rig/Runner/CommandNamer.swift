// SPDX-License-Identifier: MIT

import NBT
import SmartCard
import Tangem

/// Names of commands for the trace, by a target's own dictionary.
package enum CommandNamer {
    /// The namer of a target; nil from it leaves the name to ISO/IEC 7816-4.
    package static func of(_ target: String) -> @Sendable ([UInt8]) -> String? {
        let name: @Sendable (CommandAPDU) -> String?
        switch target {
        case "nbt": return { NBTDictionary.name(of: $0) }
        case "tangem": name = { TangemDictionary.name(of: $0) }
        default: return { _ in nil }
        }
        return { bytes in
            guard let command = try? CommandAPDU(bytes: bytes) else { return nil }
            return name(command)
        }
    }
}

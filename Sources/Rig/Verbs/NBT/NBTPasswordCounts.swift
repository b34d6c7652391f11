// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// How many tries the passwords of a sample have left, as far as the rig has counted.
///
/// A wrong value whose password nobody knew is counted at the side of the file that it was presented for. It may have been
/// any of the chip's passwords, so it counts for each.
struct NBTPasswordCounts {
    private let counters: [String: Int]

    /// The limit that is taken for granted; the one that a password is made with most often.
    static let usualLimit = 3
    /// The most that a ledger holds.
    static let largestCount = 15

    /// Takes the counters of a sample, by their words.
    ///
    /// - Parameters:
    ///   - counters: What the ledger holds.
    ///   - limits: The retry limits that the case has seen itself.
    ///   - isSampleNamed: Whether the sample is one chip; otherwise the ledger's limits may be those of another.
    init(_ counters: [String: Int], limits: [UInt8: Int], isSampleNamed: Bool) {
        var counters = counters
        for id in AccessByte.passwordIDs {
            let code = Self.limitCode(id)
            counters[code] = limits[id] ?? (isSampleNamed ? counters[code] : nil)
        }
        self.counters = counters
    }

    // MARK: Words of the ledger

    /// The word of a password.
    static func code(_ id: UInt8) -> String { "password \(id)" }

    /// The word under which the limit of a password is kept; 0 there means that it has none.
    static func limitCode(_ id: UInt8) -> String { "limit of password \(id)" }

    /// The word of a side of a file whose password is not known.
    static func sideCode(_ file: NBTFile, isReading: Bool, isI2C: Bool) -> String {
        let name = file.name ?? file.idBytes.hex
        let side =
            file == .accessPolicy && !isReading
            ? master : "\(sidePrefix)\(isReading ? "reading" : "writing") \(name)"
        return isI2C ? side + " over I2C" : side
    }

    /// The word of a side for what was counted there before its policy was written.
    static func earlierCode(_ side: String) -> String { side + " before its policy was written" }

    private static let master = "master password"
    private static let sidePrefix = "password for "

    // MARK: Counts

    /// Wrong values that may have been of any password.
    var strayCount: Int {
        strays.reduce(0) { $0 + Self.usualLimit - (counters[$1] ?? Self.usualLimit) }
    }

    /// The words of the sides where such values were presented, in order.
    var strays: [String] {
        counters.filter { code, left in
            (code.hasPrefix(Self.sidePrefix) || code.hasPrefix(Self.master)) && left < Self.usualLimit
        }.keys.sorted()
    }

    /// Whether the rig has seen that a password was made.
    func knows(_ id: UInt8) -> Bool { counters[Self.limitCode(id)] != nil }

    /// The retry limit of a password; nil when it has none.
    func limit(of id: UInt8) -> Int? {
        guard let limit = counters[Self.limitCode(id)] else { return Self.usualLimit }
        return limit == 0 ? nil : limit
    }

    /// The tries that a password has left; nil when it has no limit.
    ///
    /// Without an identifier, those of the one that has fewest.
    func left(of id: UInt8?) -> Int? {
        if let id { return own(id).map { $0 - strayCount } }
        return AccessByte.passwordIDs.compactMap(own).reduce(Self.usualLimit, min) - strayCount
    }

    /// The same without what may have been of any password.
    func own(_ id: UInt8) -> Int? {
        limit(of: id).map { min(counters[Self.code(id)] ?? $0, $0) }
    }
}

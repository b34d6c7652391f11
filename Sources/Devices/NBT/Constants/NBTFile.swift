// SPDX-License-Identifier: MIT

/// A file of the tag application, by its two-byte identifier.
///
/// An open set: a policy table may name any identifier.
/// Source: constants of the vendor's public host libraries and personalization apps (MIT).
public struct NBTFile: RawRepresentable, Hashable, Sendable {
    /// The file identifier, as it stands in SELECT.
    public let rawValue: UInt16

    /// Makes a file from its identifier.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Capability container (`E103`).
    public static let capabilityContainer = NBTFile(rawValue: 0xE103)
    /// NDEF file (`E104`).
    public static let ndef = NBTFile(rawValue: 0xE104)
    /// First proprietary file (`E1A1`); in the asynchronous data transfer example the phone writes it.
    public static let file1 = NBTFile(rawValue: 0xE1A1)
    /// Second proprietary file (`E1A2`); in the asynchronous data transfer example the host writes it.
    public static let file2 = NBTFile(rawValue: 0xE1A2)
    /// Third proprietary file (`E1A3`).
    public static let file3 = NBTFile(rawValue: 0xE1A3)
    /// Fourth proprietary file (`E1A4`).
    public static let file4 = NBTFile(rawValue: 0xE1A4)
    /// File access policy (`E1AF`).
    public static let accessPolicy = NBTFile(rawValue: 0xE1AF)

    /// All seven files, in the order of the policy table that a real device returns.
    public static let all: [NBTFile] = [
        .capabilityContainer, .ndef, .file1, .file2, .file3, .file4, .accessPolicy,
    ]

    /// The identifier's two bytes.
    public var idBytes: [UInt8] {
        [UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)]
    }

    /// The word for the file in scenarios and traces, for example `FILE_1`; nil when the chip has no such file.
    public var name: String? { Self.entries[self]?.name }

    /// Size in bytes; nil when the chip has no such file.
    public var size: Int? { Self.entries[self]?.size }

    /// Finds a file by its word, for example `FILE_1`, `CC`, `NDEF` or `FAP`.
    public init?(name: String) {
        guard let file = Self.all.first(where: { $0.name == name }) else { return nil }
        self = file
    }

    private static let entries: [NBTFile: (name: String, size: Int)] = [
        .capabilityContainer: ("CC", 47), .ndef: ("NDEF", 4096), .file1: ("FILE_1", 1024),
        .file2: ("FILE_2", 1024), .file3: ("FILE_3", 1024), .file4: ("FILE_4", 1024),
        .accessPolicy: ("FAP", 42),
    ]
}

extension NBTFile: CustomStringConvertible {
    /// The word and the identifier, for example `FILE_1 (E1A1)`.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let id = String(repeating: "0", count: 4 - digits.count) + digits
        return name.map { "\($0) (\(id))" } ?? id
    }
}

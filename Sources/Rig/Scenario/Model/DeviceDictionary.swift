// SPDX-License-Identifier: MIT

public import SmartCard

/// The names that a device gives to bytes: files, applications, TLV tags, status words.
public struct DeviceDictionary: Hashable, Sendable {
    /// The target's word, for example `nbt`.
    public let target: String
    /// Names of files, applications and other byte strings, with their bytes.
    public let bytes: [String: [UInt8]]
    /// Names of TLV tags, with the tag in hex.
    public let tags: [String: String]
    /// True when the device's objects are a flat list (tags of one byte, lengths of one, or two behind `FF`), not BER.
    public let isFlat: Bool
    /// Tags of a flat list, in hex, whose values are such lists again.
    public let nested: Set<String>
    /// What status words mean that the device's maker gave a meaning of their own.
    public let statusWords: [StatusWord: String]

    /// Makes a dictionary.
    public init(
        target: String,
        bytes: [String: [UInt8]] = [:],
        tags: [String: String] = [:],
        isFlat: Bool = false,
        nested: Set<String> = [],
        statusWords: [StatusWord: String] = [:]
    ) {
        self.statusWords = statusWords
        self.isFlat = isFlat
        self.nested = nested
        self.target = target
        self.bytes = bytes
        self.tags = tags
    }
}

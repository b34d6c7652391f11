// SPDX-License-Identifier: MIT

import TangemConstants

/// The rights of a file.
public struct FileSettings: Hashable, Sendable {
    /// True when the file is read without the passcode.
    public var isPublic: Bool
    /// True when the file cannot be deleted; from 4.0 on.
    public var isPermanent: Bool

    /// Makes rights.
    public init(isPublic: Bool, isPermanent: Bool = false) {
        self.isPublic = isPublic
        self.isPermanent = isPermanent
    }

    /// Reads the value of the tag 27: two bytes before 4.0, then one.
    public init(_ value: [UInt8]) throws(TangemError) {
        guard (1...2).contains(value.count), let last = value.last else {
            throw TangemError(.decodingFailed, "the settings of a file have 1 or 2 bytes, not \(value.count)")
        }
        isPublic = last & TangemFileSettings.publicBit != 0
        isPermanent = value.count == 1 && last & TangemFileSettings.permanentBit != 0
    }

    /// The value of the tag 27 for a firmware.
    ///
    /// - Parameter firmware: The firmware of the card.
    /// - Returns: One or two bytes.
    /// - Throws: `fileSettingsUnsupported` for permanent files before 4.0.
    public func value(for firmware: CardFirmware) throws(TangemError) -> [UInt8] {
        if firmware.has(.multiWallet) {
            return [
                (isPublic ? TangemFileSettings.publicBit : 0)
                    | (isPermanent ? TangemFileSettings.permanentBit : 0)
            ]
        }
        guard !isPermanent else {
            throw TangemError(.fileSettingsUnsupported, "permanent files come with firmware 4.0")
        }
        return [0, isPublic ? 1 : 0]
    }
}

/// A file of a card.
public struct FileRecord: Hashable, Sendable {
    /// Its place in the list.
    public let index: Int
    /// All bytes.
    public let data: [UInt8]
    /// Its rights; nil when the card does not tell.
    public let settings: FileSettings?
    /// The wallet that it belongs to; nil for none.
    public let walletIndex: Int?
    /// Index of its owner; nil when the card does not tell.
    public let ownerIndex: Int?
    /// Public key of its owner; nil when the card does not tell.
    public let ownerPublicKey: [UInt8]?

    /// Name and contents, nil when the data are no named file.
    public var named: NamedFile? { try? NamedFile(data) }
}

/// A file with a name inside of its data.
public struct NamedFile: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The contents.
    public let payload: [UInt8]
    /// The counter of an owner's file.
    public let counter: Int?
    /// The signature of an owner's file.
    public let signature: [UInt8]?

    /// Makes a file.
    public init(name: String, payload: [UInt8], counter: Int? = nil, signature: [UInt8]? = nil) {
        self.name = name
        self.payload = payload
        self.counter = counter
        self.signature = signature
    }

    /// Reads the data of a file.
    public init(_ data: [UInt8]) throws(TangemError) {
        let objects = try CardObjects(parsing: data)
        name = try objects.requiredText(.fileTypeName)
        payload = try objects.required(.fileData)
        counter = try objects.number(.fileCounter)
        signature = objects[.fileSignature]
    }

    /// The data of the file.
    public func data() throws(TangemError) -> [UInt8] {
        var objects = CardObjects()
        objects.add(.fileTypeName, text: name)
        objects.add(.fileData, payload)
        if let counter { try objects.add(.fileCounter, number: counter, count: 4) }
        objects.add(.fileSignature, signature)
        return objects.bytes
    }
}

// SPDX-License-Identifier: MIT

public import TangemConstants

extension TangemSettings {
    /// The mask as hosts write it: 2 bytes when the upper half is empty, else 4.
    public var bytes: [UInt8] {
        BigEndian.bytes(Int(rawValue), count: rawValue > 0xFFFF ? 4 : 2)
    }

    /// The names of all bits that are set; bits without a name are written as hex.
    public var titles: [String] {
        var left = rawValue
        var titles: [String] = []
        for (setting, name) in Self.names where contains(setting) {
            titles.append(name)
            left &= ~setting.rawValue
        }
        if left != 0 { titles.append("0x\(String(left, radix: 16, uppercase: true))") }
        return titles
    }

    /// The ways of encryption that the card takes.
    public var encryptions: [SessionEncryption] {
        var modes: [SessionEncryption] = [.strong]
        if contains(.allowFastEncryption) { modes.insert(.fast, at: 0) }
        if contains(.allowUnencrypted) { modes.insert(.none, at: 0) }
        return modes
    }
}

extension TangemSigningMethod {
    /// The methods of a byte, whether it is a mask or the number of a single one.
    public init(reading byte: UInt8) {
        if byte & Self.isMask.rawValue != 0 {
            self.init(rawValue: byte)
        } else {
            self.init(rawValue: Self.isMask.rawValue | (byte < 7 ? 1 << byte : 0))
        }
    }

    /// The names of the methods.
    public var titles: [String] {
        let names: [(TangemSigningMethod, String)] = [
            (.signHash, "signHash"), (.signRaw, "signRaw"),
            (.signHashSignedByIssuer, "signHashSignedByIssuer"),
            (.signRawSignedByIssuer, "signRawSignedByIssuer"),
            (.signHashSignedByIssuerAndUpdateIssuerData, "signHashSignedByIssuerAndUpdateIssuerData"),
            (.signRawSignedByIssuerAndUpdateIssuerData, "signRawSignedByIssuerAndUpdateIssuerData"),
            (.signPOS, "signPos"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}

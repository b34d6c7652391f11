// SPDX-License-Identifier: MIT

/// A path through a tree of keys, such as `m/44'/0'/0'/0/1`.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
    /// The indices; from 80000000 hex on they are hardened.
    public let indices: [UInt32]

    /// From this index on a child is hardened.
    public static let hardened: UInt32 = 0x8000_0000

    /// Takes the indices.
    public init(_ indices: [UInt32]) {
        self.indices = indices
    }

    /// Reads a path.
    ///
    /// - Parameter text: `m` or `M`, then numbers behind slashes, with an apostrophe where hardened; blanks are left out.
    /// - Throws: `encodingFailed` for anything else.
    public init(_ text: String) throws(TangemError) {
        let parts = text.filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard let root = parts.first, root == "m" || root == "M" else {
            throw Self.mistake(text, "it must begin with m/")
        }
        var indices: [UInt32] = []
        for part in parts.dropFirst() {
            let isHardened = part.last == "'" || part.last == "\u{2019}"
            let digits = isHardened ? part.dropLast() : part
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw Self.mistake(text, "'\(part)' is no number with or without an apostrophe")
            }
            guard let number = UInt32(digits), number < Self.hardened else {
                throw Self.mistake(text, "\(digits) is not below 2147483648")
            }
            indices.append(isHardened ? number | Self.hardened : number)
        }
        self.indices = indices
    }

    /// Reads the value of the tag 6A.
    public init(value: [UInt8]) throws(TangemError) {
        guard value.count % 4 == 0 else {
            throw TangemError(
                .decodingFailed,
                "a derivation path has 4 bytes an index, here are \(value.count) bytes"
            )
        }
        indices = stride(from: 0, to: value.count, by: 4).map { start in
            value[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// A path of BIP44.
    ///
    /// - Parameters:
    ///   - coinType: Number of the coin.
    ///   - account: Number of the account.
    ///   - isChange: Internal chain when true.
    ///   - addressIndex: Number of the address.
    public init(bip44 coinType: UInt32, account: UInt32 = 0, isChange: Bool = false, addressIndex: UInt32 = 0)
    {
        self.init([
            44 | Self.hardened, coinType | Self.hardened, account | Self.hardened, isChange ? 1 : 0,
            addressIndex,
        ])
    }

    /// The value of the tag 6A.
    public var value: [UInt8] { indices.flatMap { BigEndian.bytes(Int($0), count: 4) } }

    /// Whether any step is hardened, so that the public key alone does not lead there.
    public var hasHardened: Bool { indices.contains { $0 >= Self.hardened } }

    /// Whether all steps are hardened.
    public var isAllHardened: Bool { indices.allSatisfy { $0 >= Self.hardened } }

    /// For example `m/44'/0'/0'/0/1`.
    public var description: String {
        (["m"] + indices.map { $0 >= Self.hardened ? "\($0 - Self.hardened)'" : "\($0)" })
            .joined(separator: "/")
    }

    private static func mistake(_ text: String, _ reason: String) -> TangemError {
        TangemError(.encodingFailed, "'\(text)' is no derivation path: \(reason)")
    }
}

// SPDX-License-Identifier: MIT

/// The name of a subject or an issuer.
public struct DistinguishedName: Hashable, Sendable, CustomStringConvertible {
    /// One part of a name.
    public struct Attribute: Hashable, Sendable {
        /// The short name (`CN`, `O`, `C`), or the object identifier in dots where there is none.
        public let type: String
        /// The value as text; what is no valid text is shown as U+FFFD.
        public let value: String
    }

    /// The parts in the order of the certificate.
    public let attributes: [Attribute]

    /// The first value of a type, for example of `O`.
    public func value(of type: String) -> String? {
        attributes.first { $0.type == type }?.value
    }

    /// The common name.
    public var commonName: String? { value(of: "CN") }

    /// The parts as `CN=..., O=...`.
    public var description: String {
        attributes.map { "\($0.type)=\($0.value)" }.joined(separator: ", ")
    }
}

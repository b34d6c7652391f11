// SPDX-License-Identifier: MIT

import CCrypto
import Glibc

/// A certificate object of libcrypto.
final class LibraryCertificate {
    let raw: OpaquePointer

    /// Reads a whole certificate.
    init(der: [UInt8]) throws(CryptographyError) {
        var used = 0
        let certificate = der.withUnsafeBufferPointer { memory -> OpaquePointer? in
            var next = memory.baseAddress
            let certificate = d2i_X509(nil, &next, memory.count)
            if let next, let start = memory.baseAddress { used = next - start }
            return certificate
        }
        guard let certificate else {
            ERR_clear_error()
            throw .malformedCertificate(reason: "it is no DER certificate, or it is cut short")
        }
        raw = certificate
        guard used == der.count else {
            throw .malformedCertificate(reason: "something stands behind it (length \(der.count - used))")
        }
    }

    deinit {
        X509_free(raw)
    }

    var subject: DistinguishedName { Self.name(X509_get_subject_name(raw)) }
    var issuer: DistinguishedName { Self.name(X509_get_issuer_name(raw)) }

    /// The serial number as its bytes, big-endian.
    var serial: [UInt8] {
        guard let number = X509_get0_serialNumber(raw) else { return [] }
        return Self.bytes(number)
    }

    /// The signature algorithm's short name, for example `ecdsa-with-SHA256`.
    var signatureAlgorithm: String {
        let identifier = X509_get_signature_nid(raw)
        guard identifier != NID_undef, let name = OBJ_nid2sn(identifier) else { return "unknown" }
        return String(cString: name)
    }

    /// The public key with its algorithm, DER.
    func spki() throws(CryptographyError) -> [UInt8] {
        let key = X509_get_X509_PUBKEY(raw)
        let length = Int(i2d_X509_PUBKEY(key, nil))
        guard length > 0 else {
            ERR_clear_error()
            throw .malformedCertificate(reason: "it holds no public key")
        }
        var out = [UInt8](repeating: 0, count: length)
        out.withUnsafeMutableBufferPointer {
            var next = $0.baseAddress
            _ = i2d_X509_PUBKEY(key, &next)
        }
        return out
    }

    /// The start and the end of its validity, in seconds since 1970.
    func validity() throws(CryptographyError) -> ClosedRange<Int64> {
        guard let start = Self.seconds(X509_get0_notBefore(raw)),
            let end = Self.seconds(X509_get0_notAfter(raw))
        else { throw .malformedCertificate(reason: "its validity is no pair of times") }
        guard start <= end else { throw .malformedCertificate(reason: "its validity ends before it starts") }
        return start...end
    }

    /// Whether its extensions allow it to sign other certificates.
    var isAuthority: Bool { X509_check_ca(raw) == 1 }

    /// Whether it was signed with the private half of a key.
    func isSigned(by key: OpaquePointer?) -> Bool {
        defer { ERR_clear_error() }
        return X509_verify(raw, key) == 1
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
            ERR_clear_error()
            return nil
        }
        return Int64(timegm(&parts))
    }

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        guard let start = ASN1_STRING_get0_data(string) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: max(0, Int(ASN1_STRING_length(string)))))
    }

    private static func name(_ name: OpaquePointer?) -> DistinguishedName {
        guard let name else { return DistinguishedName(attributes: []) }
        var attributes: [DistinguishedName.Attribute] = []
        for index in 0..<max(0, X509_NAME_entry_count(name)) {
            guard let entry = X509_NAME_get_entry(name, index),
                let object = X509_NAME_ENTRY_get_object(entry),
                let value = X509_NAME_ENTRY_get_data(entry)
            else { continue }
            attributes.append(.init(type: type(object), value: text(value)))
        }
        return DistinguishedName(attributes: attributes)
    }

    private static func type(_ object: OpaquePointer) -> String {
        let identifier = OBJ_obj2nid(object)
        if identifier != NID_undef, let name = OBJ_nid2sn(identifier) { return String(cString: name) }
        var text = [CChar](repeating: 0, count: 128)
        let length = Int(OBJ_obj2txt(&text, Int32(text.count), object, 1))
        guard length > 0 else { return "?" }
        let shown = text.prefix(min(length, text.count - 1)).map { UInt8(bitPattern: $0) }
        return String(decoding: shown, as: UTF8.self)
    }

    private static func text(_ value: UnsafePointer<ASN1_STRING>) -> String {
        var out: UnsafeMutablePointer<UInt8>?
        let length = Int(ASN1_STRING_to_UTF8(&out, value))
        guard length >= 0, let start = out else {
            ERR_clear_error()
            return String(decoding: bytes(value), as: UTF8.self)
        }
        defer { CRYPTO_free(start, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }
}

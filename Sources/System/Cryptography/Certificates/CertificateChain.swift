// SPDX-License-Identifier: MIT

import CCrypto

/// The way from a certificate to one that is trusted.
public enum CertificateChain {
    /// Finds and checks the way: signatures, validity at that time, and the right of each issuer to sign.
    ///
    /// An anchor need not be signed by itself: a manufacturing authority may be trusted without its root.
    ///
    /// - Parameters:
    ///   - certificate: the one to judge.
    ///   - intermediates: certificates that may stand between; not trusted by themselves.
    ///   - anchors: certificates that are trusted, one or more.
    ///   - time: seconds since 1970 at which all must be valid.
    /// - Returns: the way, from the certificate to the anchor.
    /// - Throws: `untrustedCertificate` with the library's reason.
    @discardableResult
    public static func verify(
        _ certificate: Certificate,
        intermediates: [Certificate] = [],
        anchors: [Certificate],
        at time: Int64
    ) throws(CryptographyError) -> [Certificate] {
        guard !anchors.isEmpty else {
            throw .untrustedCertificate(
                subject: certificate.subject.commonName ?? certificate.subject.description,
                reason: "no trusted certificate was given"
            )
        }
        // The objects live until the end of this function; store, stack and context only point to them.
        let leaf = try LibraryCertificate(der: certificate.der)
        let trusted = try load(anchors)
        let others = try load(intermediates)
        guard let store = X509_STORE_new() else { throw .library(call: "X509_STORE_new") }
        defer {
            X509_STORE_free(store)
            ERR_clear_error()
        }
        for anchor in trusted where X509_STORE_add_cert(store, anchor.raw) != 1 {
            throw .library(call: "X509_STORE_add_cert")
        }
        guard let stack = OPENSSL_sk_new_null() else { throw .library(call: "OPENSSL_sk_new_null") }
        defer { OPENSSL_sk_free(stack) }
        for other in others where OPENSSL_sk_push(stack, UnsafeRawPointer(other.raw)) <= 0 {
            throw .library(call: "OPENSSL_sk_push")
        }
        guard let context = X509_STORE_CTX_new() else { throw .library(call: "X509_STORE_CTX_new") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, leaf.raw, stack) == 1 else {
            throw .library(call: "X509_STORE_CTX_init")
        }
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_STORE_CTX_set_time(context, 0, Int(time))
        let isTrusted = X509_verify_cert(context) == 1
        let chain = X509_STORE_CTX_get0_chain(context)
        let length = chain == nil ? 0 : OPENSSL_sk_num(chain)
        guard isTrusted, length > 0 else {
            let depth = Int(X509_STORE_CTX_get_error_depth(context))
            let reason = String(
                cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
            )
            throw .untrustedCertificate(
                subject: certificate.subject.commonName ?? certificate.subject.description,
                reason: depth > 0 ? "\(reason) (\(depth) above it)" : reason
            )
        }
        var way: [Certificate] = []
        for index in 0..<length {
            guard let member = OPENSSL_sk_value(chain, index) else { continue }
            way.append(try Certificate(der: encoded(OpaquePointer(member))))
        }
        withExtendedLifetime((leaf, trusted, others)) {}
        return way
    }

    private static func load(
        _ certificates: [Certificate]
    ) throws(CryptographyError) -> [LibraryCertificate] {
        var out: [LibraryCertificate] = []
        for certificate in certificates { out.append(try LibraryCertificate(der: certificate.der)) }
        return out
    }

    private static func encoded(_ certificate: OpaquePointer) throws(CryptographyError) -> [UInt8] {
        let length = Int(i2d_X509(certificate, nil))
        guard length > 0 else { throw .library(call: "i2d_X509") }
        var out = [UInt8](repeating: 0, count: length)
        out.withUnsafeMutableBufferPointer {
            var next = $0.baseAddress
            _ = i2d_X509(certificate, &next)
        }
        return out
    }
}

// SPDX-License-Identifier: MIT

import CCrypto

/// A key object of libcrypto.
final class LibraryKey {
    let raw: OpaquePointer

    /// Takes over an object.
    init(owning key: OpaquePointer) {
        raw = key
    }

    /// Reads a whole SubjectPublicKeyInfo.
    init(spki: [UInt8]) throws(CryptographyError) {
        var used = 0
        let key = spki.withUnsafeBufferPointer { memory -> OpaquePointer? in
            var next = memory.baseAddress
            let key = d2i_PUBKEY(nil, &next, memory.count)
            if let next, let start = memory.baseAddress { used = next - start }
            return key
        }
        guard let key else {
            ERR_clear_error()
            throw .malformedKey(reason: "it is no SubjectPublicKeyInfo")
        }
        raw = key
        guard used == spki.count else {
            throw .malformedKey(
                reason: "something stands behind the SubjectPublicKeyInfo (length \(spki.count - used))"
            )
        }
    }

    deinit {
        EVP_PKEY_free(raw)
    }

    /// The key as a value of this module.
    func publicKey() throws(CryptographyError) -> PublicKey {
        if EVP_PKEY_is_a(raw, "ED25519") == 1 {
            var bytes = [UInt8](repeating: 0, count: 32)
            var length = bytes.count
            guard EVP_PKEY_get_raw_public_key(raw, &bytes, &length) == 1, length == 32 else {
                ERR_clear_error()
                throw .library(call: "EVP_PKEY_get_raw_public_key")
            }
            return try PublicKey(bytes, curve: .ed25519)
        }
        guard EVP_PKEY_is_a(raw, "EC") == 1 else {
            throw .unsupportedKey(EVP_PKEY_get0_type_name(raw).map { String(cString: $0) } ?? "unknown")
        }
        guard let name = groupName(), let curve = Curve(name: name) else {
            throw .unsupportedKey(groupName() ?? "EC with its own parameters")
        }
        var length = 0
        guard EVP_PKEY_get_octet_string_param(raw, OSSL_PKEY_PARAM_PUB_KEY, nil, 0, &length) == 1,
            (1...256).contains(length)
        else {
            ERR_clear_error()
            throw .malformedKey(reason: "it holds no point")
        }
        var point = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_get_octet_string_param(raw, OSSL_PKEY_PARAM_PUB_KEY, &point, length, &length) == 1
        else {
            ERR_clear_error()
            throw .library(call: "EVP_PKEY_get_octet_string_param")
        }
        return try PublicKey(point, curve: curve)
    }

    private func groupName() -> String? {
        var name = [CChar](repeating: 0, count: 80)
        var length = 0
        guard EVP_PKEY_get_group_name(raw, &name, name.count, &length) == 1, length < name.count else {
            ERR_clear_error()
            return nil
        }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

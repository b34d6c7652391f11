// SPDX-License-Identifier: MIT

import CCrypto

/// One pass of a block cipher of libcrypto over a message.
struct CipherRun {
    /// The library's name of cipher and mode, for example `AES-128-CBC`.
    let name: String
    let blockLength: Int
    let key: SecretBytes
    /// Empty for a mode without.
    let iv: [UInt8]
    let padding: CipherPadding

    func encrypt(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        if padding == .none { try checkBlocks(message, "the message") }
        return try run(message, encrypting: true)
    }

    func decrypt(_ cipherText: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try checkBlocks(cipherText, "the cipher text")
        if padding == .pkcs7, cipherText.isEmpty { throw .badPadding }
        return try run(cipherText, encrypting: false)
    }

    private func checkBlocks(_ bytes: [UInt8], _ what: String) throws(CryptographyError) {
        guard bytes.count.isMultiple(of: blockLength) else {
            throw .wrongLength(what: what, length: bytes.count, allowed: "a multiple of \(blockLength)")
        }
    }

    private func run(_ input: [UInt8], encrypting: Bool) throws(CryptographyError) -> [UInt8] {
        guard let cipher = EVP_CIPHER_fetch(nil, name, nil) else {
            ERR_clear_error()
            throw .unavailable(algorithm: name)
        }
        defer { EVP_CIPHER_free(cipher) }
        guard let context = EVP_CIPHER_CTX_new() else { throw .library(call: "EVP_CIPHER_CTX_new") }
        defer { EVP_CIPHER_CTX_free(context) }
        guard
            EVP_CipherInit_ex2(context, cipher, key.pointer, iv.isEmpty ? nil : iv, encrypting ? 1 : 0, nil)
                == 1,
            EVP_CIPHER_CTX_set_padding(context, padding == .pkcs7 ? 1 : 0) == 1
        else {
            ERR_clear_error()
            throw .library(call: "EVP_CipherInit_ex2")
        }
        var out = [UInt8](repeating: 0, count: input.count + 2 * blockLength)
        var first: Int32 = 0
        guard EVP_CipherUpdate(context, &out, &first, input, Int32(input.count)) == 1 else {
            ERR_clear_error()
            throw .library(call: "EVP_CipherUpdate")
        }
        var last: Int32 = 0
        let finished = out.withUnsafeMutableBufferPointer {
            EVP_CipherFinal_ex(context, $0.baseAddress.map { $0 + Int(first) }, &last)
        }
        guard finished == 1 else {
            ERR_clear_error()
            throw encrypting || padding == .none ? .library(call: "EVP_CipherFinal_ex") : .badPadding
        }
        out.removeLast(out.count - Int(first + last))
        return out
    }
}

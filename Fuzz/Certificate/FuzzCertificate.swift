// SPDX-License-Identifier: MIT

import Cryptography
import FuzzInput
import Type4Tag

/// Certificates, keys and signatures as bytes, as PEM, and as the certificate record of a tag.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    read(certificate: bytes)
    if let message = attempt({ try NDEFMessage(bytes: bytes) }) {
        for record in message.records { read(certificate: record.payload) }
    }
    // No key needs more bytes than this, and each curve takes its time.
    let curves = bytes.count > 200 ? [] : Curve.allCases.map(Optional.some)
    for curve in [nil] + curves {
        if let reading = attempt({ try PublicKey.read(bytes, curve: curve) }), reading.form != .xOnly {
            let again = attempt { try PublicKey.read(reading.key.spki, curve: curve) }
            precondition(again?.key == reading.key, "a key does not come back")
        }
    }
    if let signature = attempt({ try ECDSASignature(der: bytes) }) {
        precondition(attempt { try ECDSASignature(der: signature.der) } == signature, "r and s changed")
        for curve in Curve.allCases { attempt { try signature.raw(for: curve) } }
    }
    return 0
}

private func read(certificate bytes: [UInt8]) {
    guard let certificate = attempt({ try Certificate(bytes) }) else { return }
    precondition(certificate.notBefore <= certificate.notAfter, "a validity that ends before it starts")
    _ = "\(certificate.subject) \(certificate.issuer)"
    let key = attempt { try certificate.publicKey() }
    attempt { try certificate.isSigned(by: certificate) }
    if let key { attempt { try certificate.isSigned(by: key) } }
    attempt {
        try CertificateChain.verify(
            certificate,
            intermediates: [certificate],
            anchors: [certificate],
            at: certificate.notBefore
        )
    }
}

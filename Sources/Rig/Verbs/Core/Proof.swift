// SPDX-License-Identifier: MIT

import Cryptography
import Scenario
import SmartCard

/// A proof by cryptography that `check` asks for.
struct Proof {
    /// The form: `signature`, `cmac`, ...
    let name: String
    /// Its arguments, by the names of ``CheckForms``.
    let values: [String: Value]
    let call: VerbCall

    /// What is wrong, or nil when it holds.
    ///
    /// A key that is none is a mistake of the scenario or its set-up; a signature that is none proves nothing.
    func complaint() throws(VerbStop) -> String? {
        switch name {
        case "ecdsa": return try signature(on: try curve())
        case "ed25519": return try signature(on: "ed25519")
        case "bip340": return try signature(on: "bip340")
        case "cmac": return try cmac()
        case "hash": return try hash()
        case "x509": return try certificate()
        default: return try signature(on: try curve())
        }
    }

    // MARK: Arguments

    private func bytes(_ key: String) throws(VerbStop) -> [UInt8]? {
        switch values[key] {
        case nil: return nil
        case .bytes(let bytes): return bytes
        case .statusWord(let sw): return [sw.sw1, sw.sw2]
        case .text(let text):
            do { return try HexText.bytes(text) } catch { throw wrong(key, "'\(text)' is no hex text") }
        default: throw wrong(key, "bytes are needed")
        }
    }

    private func needed(_ key: String) throws(VerbStop) -> [UInt8] {
        guard let bytes = try bytes(key) else { throw wrong(key, "it is missing") }
        return bytes
    }

    private func word(_ key: String) -> String? { values[key]?.text }

    private func wrong(_ key: String, _ message: String) -> VerbStop { call.wrong("\(name).\(key)", message) }

    private func wrong(_ key: String, _ error: CryptographyError) -> VerbStop { wrong(key, "\(error)") }

    private func curve() throws(VerbStop) -> String {
        guard let word = word("curve") else { throw wrong("curve", "it is missing") }
        return word
    }

    private func algorithm(_ key: String) throws(VerbStop) -> HashAlgorithm? {
        guard let word = word(key) else { return nil }
        guard let found = HashAlgorithm(name: word) else { throw wrong(key, "'\(word)' is no known hash") }
        return found
    }

    // MARK: Signatures

    private func signature(on word: String) throws(VerbStop) -> String? {
        let isSchnorr = ["bip340", "bip0340"].contains(word)
        // The card's name for Ed25519 keys that were derived by SLIP-0010; the signatures are the same.
        let plain = word == "ed25519_slip0010" ? "ed25519" : word
        guard let curve = isSchnorr ? .secp256k1 : Curve(name: plain) else {
            throw wrong("curve", "'\(word)' is no known curve")
        }
        let key: PublicKey
        let keyBytes = try needed("key")
        do throws(CryptographyError) {
            key = try PublicKey.read(keyBytes, curve: curve).key
        } catch {
            throw wrong("key", error)
        }
        let signature = try needed("signature")
        let isWhole = isSchnorr || curve == .ed25519
        let message = try isWhole ? signed() : digest()
        do throws(CryptographyError) {
            let holds: Bool
            if isWhole {
                holds =
                    isSchnorr
                    ? try BIP340.verify(signature, message: message, key: key)
                    : try Ed25519.verify(signature, message: message, key: key)
            } else {
                holds = try ECDSA.verify(
                    ECDSASignature(signature, curve: curve, form: form()),
                    digest: message,
                    key: key
                )
            }
            return holds ? nil : "the \(word) signature is not one of this key for these bytes"
        } catch {
            return "the \(word) signature proves nothing: \(error)"
        }
    }

    private func form() -> ECDSASignature.Form? { word("form").flatMap(ECDSASignature.Form.init(rawValue:)) }

    /// What Ed25519 and BIP340 sign as it is, however it is called.
    private func signed() throws(VerbStop) -> [UInt8] {
        if let hash = try bytes("hash") { return hash }
        return try needed("message")
    }

    private func digest() throws(VerbStop) -> [UInt8] {
        if let hash = try bytes("hash") { return hash }
        let message = try needed("message")
        let algorithm = try algorithm("digest") ?? .sha256
        do throws(CryptographyError) {
            return try algorithm.digest(message)
        } catch {
            throw wrong("digest", error)
        }
    }

    // MARK: Codes, hashes, certificates

    private func cmac() throws(VerbStop) -> String? {
        let mac = try needed("mac")
        guard (4...16).contains(mac.count) else {
            return "a CMAC has 4 to 16 bytes, this one has \(mac.count)"
        }
        let right: [UInt8]
        let message = try needed("message")
        let key = try needed("key")
        do throws(CryptographyError) {
            right = try CMAC.code(of: message, key: key)
        } catch {
            throw wrong("key", error)
        }
        return Array(right.prefix(mac.count)) == mac
            ? nil : "the CMAC is not one of this key for this message"
    }

    private func hash() throws(VerbStop) -> String? {
        let algorithm = try algorithm("algorithm") ?? .sha256
        let message = try needed("message")
        let digest = try needed("digest")
        let right: [UInt8]
        do throws(CryptographyError) {
            right = try algorithm.digest(message)
        } catch {
            throw wrong("algorithm", error)
        }
        return right == digest ? nil : "the \(algorithm.rawValue) is \(right.hex), not \(digest.hex)"
    }

    private func certificate() throws(VerbStop) -> String? {
        let certificate: Certificate
        let bytes = try needed("certificate")
        do throws(CryptographyError) {
            certificate = try Certificate(bytes)
        } catch {
            return "the certificate cannot be read: \(error)"
        }
        if let complaint = try issuer(of: certificate) { return complaint }
        if let key = try self.bytes("key") {
            do throws(CryptographyError) {
                let wanted = try PublicKey.read(key).key
                guard try certificate.publicKey() == wanted else {
                    return "the certificate holds another key"
                }
            } catch {
                throw wrong("key", error)
            }
        }
        if let subject = word("subject"), certificate.subject.commonName != subject {
            return
                "the certificate is of '\(certificate.subject.commonName ?? "nobody")', not of '\(subject)'"
        }
        if let day = word("at") {
            guard let date = try? CalendarDate.parse(day) else {
                throw wrong("at", "'\(day)' is no day; write it like 2027-01-31")
            }
            guard certificate.isValid(at: date.secondsSince1970) else {
                return "the certificate is not valid on \(date)"
            }
        }
        return nil
    }

    private func issuer(of certificate: Certificate) throws(VerbStop) -> String? {
        let issuer = try needed("issuer")
        do throws(CryptographyError) {
            let reading = try? Certificate(issuer)
            let isSigned =
                if let reading {
                    try certificate.isSigned(by: reading)
                } else {
                    try certificate.isSigned(by: PublicKey.read(issuer).key)
                }
            return isSigned ? nil : "the certificate is not signed by its issuer"
        } catch {
            throw wrong("issuer", error)
        }
    }
}

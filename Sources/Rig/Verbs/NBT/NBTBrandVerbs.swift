// SPDX-License-Identifier: MIT

import Cryptography
import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of brand protection: signature, certificate, one-time token.
let nbtBrandVerbs: [Verb] = [authenticateVerb, certificateVerb, genuineVerb, tokenVerb]

private let challengeArguments: [ArgumentSpec] = [
    ArgumentSpec(
        "challenge",
        .bytes(1...255),
        choice: .atMostOne("challenge"),
        "bytes to sign; random ones when left out"
    ),
    ArgumentSpec(
        "length",
        .number(1...255),
        choice: .atMostOne("challenge"),
        "number of random bytes; 8 by default"
    ),
]

private let issuerArguments: [ArgumentSpec] = [
    ArgumentSpec(
        "issuer",
        .list(
            .checked(
                .bytes,
                ArgumentCheck("a certificate") { $0.refusal { bytes in try BrandIssuer(bytes) } }
            )
        ),
        "trusted issuers, DER or PEM; the vendor's authorities of series and test parts when left out"
    ),
    ArgumentSpec("at", .day, "day on which the certificate must be valid; any when left out"),
]

private let certificateResults: [ResultSpec] = [
    ResultSpec("certificate", .bytes, "the chip's certificate, DER"),
    ResultSpec("key", .bytes, "its public key, uncompressed"),
    ResultSpec("uid", .bytes, "the UID that it names; absent when it names none"),
    ResultSpec("subject", .text, "its common name"),
    ResultSpec("issuer", .word(["series", "test", "given"]), "who signed it"),
]

private let authenticateVerb = Verb(
    VerbSpec(
        "nbt.authenticate",
        "Lets the chip sign a challenge (AUTHENTICATE TAG), and checks the signature where a key is given.",
        discussion: """
            ECDSA of P-256 with SHA-256 over the challenge as it is. With `certificate` or `key` a signature that is not
            theirs is the error wrongSignature, unless the step expects `verified: no`.
            """,
        arguments: challengeArguments + [
            ArgumentSpec(
                "certificate",
                .checked(
                    .bytes,
                    ArgumentCheck("a certificate") { $0.refusal { bytes in try BrandCertificate(bytes) } }
                ),
                choice: .atMostOne("verification"),
                "certificate to check with, DER or PEM"
            ),
            ArgumentSpec(
                "key",
                .checked(
                    .bytes,
                    ArgumentCheck("a public key of P-256") {
                        $0.refusal { bytes in try PublicKey.read(bytes, curve: .secp256r1) }
                    }
                ),
                choice: .atMostOne("verification"),
                "public key to check with: point or SPKI"
            ),
        ],
        bare: "challenge",
        results: [
            ResultSpec("challenge", .bytes, "what was signed"),
            ResultSpec("signature", .bytes, "the signature, DER"),
            ResultSpec("verified", .boolean, "whether it holds; absent without a key"),
        ]
    )
) { call in
    let key = try call.verificationKey()
    let challenge = try call.challengeArgument()
    call.give("challenge", .bytes(challenge))
    let signature = try call.nbt { (commands) throws(NBTError) in
        try commands.authenticateTag(challenge: challenge)
    }
    call.give("signature", .bytes(signature))
    guard let key else { return }
    call.assertions += 1
    do throws(BrandProtectionError) {
        try BrandProtection.check(signature: signature, challenge: challenge, key: key)
        call.give("verified", .boolean(true))
    } catch {
        call.give("verified", .boolean(false))
        guard call.step.expectation?.asksFor(field: "verified") != true else { return }
        throw VerbStop.device(name: error.word, detail: "\(error)")
    }
}

private let certificateVerb = Verb(
    VerbSpec(
        "nbt.read-certificate",
        "Reads the chip's certificate from its NDEF message, and finds who signed it.",
        discussion: """
            The record may have either of the vendor's two type names. Errors: ndef, noCertificate, malformedCertificate,
            untrustedCertificate, expiredCertificate, otherChip.
            """,
        arguments: issuerArguments + [
            ArgumentSpec("uid", .bytes, "the chip's UID, which the certificate must name")
        ],
        results: certificateResults
    )
) { call in
    let issuers = try call.issuers()
    let time = try call.day()
    let uid = try call.bytes("uid")
    let certificate = try call.nbt { (commands) throws(NBTError) in try commands.readCertificate() }
    call.give(certificate)
    call.assertions += 1
    do throws(BrandProtectionError) {
        call.give("issuer", .text(try certificate.issuer(among: issuers, at: time).word))
        if let uid, uid != certificate.uid {
            throw BrandProtectionError.otherChip(
                certificate: certificate.uid?.hex ?? certificate.certificate.subject.description,
                expected: uid.hex
            )
        }
    } catch {
        throw VerbStop.device(name: error.word, detail: "\(error)")
    }
}

private let genuineVerb = Verb(
    VerbSpec(
        "nbt.prove-genuine",
        "Proves that the chip is genuine: certificate, issuer, signature of a challenge.",
        discussion: """
            What the vendor's app does: it reads the certificate from the NDEF message, finds its issuer, and lets the chip
            sign a challenge. What does not hold is an error by its name: noCertificate, untrustedCertificate,
            wrongSignature.
            """,
        arguments: challengeArguments + issuerArguments,
        results: certificateResults + [
            ResultSpec("challenge", .bytes, "what was signed"),
            ResultSpec("signature", .bytes, "the signature, DER"),
        ]
    )
) { call in
    let issuers = try call.issuers()
    let time = try call.day()
    let challenge = try call.challengeArgument()
    call.assertions += 1
    let proof = try call.nbt { (commands) throws(NBTError) in
        try commands.proveGenuine(challenge: challenge, issuers: issuers, at: time)
    }
    call.give(proof.certificate)
    call.give("issuer", .text(proof.issuer.word))
    call.give("challenge", .bytes(challenge))
    call.give("signature", .bytes(proof.signature))
}

private let tokenVerb = Verb(
    VerbSpec(
        "nbt.verify-token",
        "Judges a one-time token as the vendor's server does; without `token` it reads the link of the NDEF message.",
        discussion: """
            Checks come in this order: form and header (400), known UID (404), not seen before in the case (429), code (403). Anything
            but 200 is an error (malformedToken, unknownChip, usedToken, wrongCode), unless the step expects `status`.
            """,
        arguments: [
            ArgumentSpec("token", .text, "the 44 characters; read from the chip when left out"),
            ArgumentSpec(
                "key",
                .bytes(COTTLayout.macSize),
                "AES key; the one of development kits by default"
            ),
            ArgumentSpec("uid", .bytes, "the only UID that is known; any when left out"),
        ],
        bare: "token",
        results: [
            ResultSpec("status", .number(0...599), "HTTP status of the server: 200, 400, 403, 404 or 429"),
            ResultSpec("token", .text, "the token; absent when there is none"),
            ResultSpec("uid", .bytes, "its UID; absent when it is malformed"),
            ResultSpec("random", .bytes, "its random part; absent when it is malformed"),
        ]
    )
) { call in
    let key = try call.bytes("key") ?? COTTLayout.developmentKey
    guard key.count == COTTLayout.macSize else {
        throw call.wrong("key", "16 bytes are needed, here are \(key.count)")
    }
    let uid = try call.bytes("uid")
    var text = call.text("token")
    if text == nil {
        let message = try call.nbt { (commands) throws(NBTError) in try commands.readMessage() }
        text = message.flatMap(COTTToken.text(in:))
    }
    call.give("token", text.map { .text($0) })
    if let token = text.flatMap(COTTToken.init(text:)) {
        call.give("uid", .bytes(token.uid))
        call.give("random", .bytes(token.random))
    }
    var verifier = COTTVerifier { uid == nil || uid == $0 ? key : nil }
    verifier.seen = call.session.seenTokens
    let verdict = verifier.judge(text)
    call.session.seenTokens = verifier.seen
    call.give("status", .number(verdict.rawValue))
    call.assertions += 1
    guard verdict != .accepted, call.step.expectation?.asksFor(field: "status") != true else { return }
    let isUntouched = text == COTTLayout.placeholder
    throw VerbStop.device(
        name: verdict.word,
        detail: isUntouched ? "the chip put no token in the placeholder's place" : verdict.text
    )
}

extension Value {
    /// Why a library makes nothing of these bytes; nil when it does.
    fileprivate func refusal<Result>(_ work: ([UInt8]) throws -> Result) -> String? {
        guard case .bytes(let bytes) = self else { return nil }
        do {
            _ = try work(bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension VerbCall {
    fileprivate func challengeArgument() throws(VerbStop) -> [UInt8] {
        if let challenge = try bytes("challenge") {
            guard (1...255).contains(challenge.count) else {
                throw wrong("challenge", "1 to 255 bytes are needed, here are \(challenge.count)")
            }
            return challenge
        }
        return try challenge(try number("length") ?? 8)
    }

    /// The key that a signature is checked with; nil when none is given.
    fileprivate func verificationKey() throws(VerbStop) -> PublicKey? {
        if let bytes = try bytes("certificate") {
            do throws(BrandProtectionError) {
                return try BrandCertificate(bytes).key
            } catch {
                throw wrong("certificate", "\(error)")
            }
        }
        guard let bytes = try bytes("key") else { return nil }
        do throws(CryptographyError) {
            return try PublicKey.read(bytes, curve: .secp256r1).key
        } catch {
            throw wrong("key", "\(error)")
        }
    }

    fileprivate func issuers() throws(VerbStop) -> [BrandIssuer] {
        let given = try byteList("issuer")
        guard !given.isEmpty else { return BrandIssuer.ofVendor }
        var out: [BrandIssuer] = []
        for bytes in given {
            do throws(BrandProtectionError) {
                out.append(try BrandIssuer(bytes))
            } catch {
                throw wrong("issuer", "\(error)")
            }
        }
        return out
    }

    /// The day on which a certificate must be valid, in seconds; nil when left out.
    fileprivate func day() throws(VerbStop) -> Int64? {
        guard let text = text("at") else { return nil }
        guard let date = try? CalendarDate.parse(text) else {
            throw wrong("at", "'\(text)' is no day; write it like 2027-01-31")
        }
        return date.secondsSince1970
    }

    fileprivate func give(_ certificate: BrandCertificate) {
        give("certificate", .bytes(certificate.certificate.der))
        give("key", .bytes(certificate.key.uncompressed))
        give("uid", .optional(certificate.uid))
        give("subject", certificate.certificate.subject.commonName.map { .text($0) })
    }
}

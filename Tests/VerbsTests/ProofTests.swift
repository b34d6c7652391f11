// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Testing
import Verbs

/// A proof with published values, and one of its arguments that is changed to break it.
struct ProofCase: CustomTestStringConvertible, Sendable {
    let form: String
    let values: [String: String]
    /// The argument whose last byte is changed.
    let broken: String
    /// Where the values come from.
    let source: String

    var testDescription: String { "\(form): \(source)" }

    /// The arguments, perhaps with another last byte in one of them.
    func arguments(breaking key: String? = nil) -> [String: Value] {
        var out: [String: Value] = [:]
        let words = ["curve", "form", "algorithm", "subject", "at"] + (form == "hash" ? [] : ["digest"])
        for (name, text) in values {
            guard !words.contains(name), var bytes = try? HexText.bytes(text) else {
                out[name] = .text(text)
                continue
            }
            if name == key, let last = bytes.indices.last { bytes[last] ^= 1 }
            out[name] = .bytes(bytes)
        }
        return out
    }

    private static let key =
        "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
        + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
    private static let r = "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
    private static let s = "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    private static let digest = "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF"
    private static let edKey = "D75A980182B10AB7D54BFED3C964073A0EE172F3DAA62325AF021A68F707511A"
    private static let edSignature =
        "E5564300C360AC729086E2CC806E828A84877F1EB8E5D974D873E065224901555FB8821590A33BACC61E39701CF9B46B"
        + "D25BF5F0595BBE24655141438E7A100B"
    private static let schnorr =
        "E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA8215"
        + "25F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0"
    private static let zeros = String(repeating: "00", count: 32)

    static let all = [
        ProofCase(
            form: "signature",
            values: ["curve": "secp256r1", "key": key, "message": "73616D706C65", "signature": r + s],
            broken: "signature",
            source: "RFC 6979 A.2.5, raw"
        ),
        ProofCase(
            form: "ecdsa",
            values: [
                "curve": "secp256r1", "key": key, "hash": digest,
                "signature": "3046022100\(r)022100\(s)", "form": "der",
            ],
            broken: "hash",
            source: "RFC 6979 A.2.5, DER"
        ),
        ProofCase(
            form: "ecdsa",
            values: [
                "curve": "secp256r1", "key": key, "message": "73616D706C65", "digest": "sha256",
                "signature": "3046022100\(r)022100\(s)",
            ],
            broken: "message",
            source: "RFC 6979 A.2.5, form told by length"
        ),
        ProofCase(
            form: "ed25519",
            values: ["key": edKey, "message": "", "signature": edSignature],
            broken: "signature",
            source: "RFC 8032 §7.1 test 1"
        ),
        ProofCase(
            form: "signature",
            values: ["curve": "ed25519_slip0010", "key": edKey, "hash": "", "signature": edSignature],
            broken: "signature",
            source: "RFC 8032 §7.1 test 1, by the card's name of the curve"
        ),
        ProofCase(
            form: "bip340",
            values: [
                "key": "F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9", "hash": zeros,
                "signature": schnorr,
            ],
            broken: "hash",
            source: "BIP340 vector 0"
        ),
        ProofCase(
            form: "cmac",
            values: [
                "key": "2B7E151628AED2A6ABF7158809CF4F3C", "message": "6BC1BEE22E409F96E93D7E117393172A",
                "mac": "070A16B46B4D4144F79BDD9DD04A287C",
            ],
            broken: "mac",
            source: "RFC 4493 §4 example 2"
        ),
        ProofCase(
            form: "cmac",
            values: [
                "key": "2B7E151628AED2A6ABF7158809CF4F3C", "message": "6BC1BEE22E409F96E93D7E117393172A",
                "mac": "070A16B46B4D4144",
            ],
            broken: "message",
            source: "RFC 4493 §4 example 2, the first 8 bytes"
        ),
        ProofCase(
            form: "hash",
            values: [
                "message": "616263", "digest": "A9993E364706816ABA3E25717850C26C9CD0D89D",
                "algorithm": "sha1",
            ],
            broken: "digest",
            source: "FIPS 180-4"
        ),
        ProofCase(
            form: "x509",
            values: [
                "certificate": certificate, "issuer": certificate, "key": certificateKey,
                "subject": "Rig Test",
                "at": "2050-06-01",
            ],
            broken: "certificate",
            source: "made with openssl for this test"
        ),
        ProofCase(
            form: "x509",
            values: ["certificate": certificate, "issuer": certificateKey],
            broken: "certificate",
            source: "made with openssl for this test, issuer as a key"
        ),
    ]

    /// A self-signed certificate of a key on P-256, valid for a hundred years.
    static let certificate =
        "3082017E30820123A00302010202142B948949EC1B6A8B8FD5BC87129033C7CEA3737C300A06082A"
        + "8648CE3D04030230133111300F06035504030C0852696720546573743020170D3236313133303036"
        + "343635345A180F32313236313130363036343635345A30133111300F06035504030C085269672054"
        + "6573743059301306072A8648CE3D020106082A8648CE3D03010703420004FA1F68738F3655812905"
        + "A047947229244C9C0C86A2BCB0F036FD294385DFEFD78D3DC0D49A3290C9C35C0868082DCF1F375F"
        + "7B52BBE9D3CDC3CE1541A5096CB7A3533051301D0603551D0E041604148BFDDBE23E85B386967522"
        + "3F4C260044E413C8C8301F0603551D230418301680148BFDDBE23E85B3869675223F4C260044E413"
        + "C8C8300F0603551D130101FF040530030101FF300A06082A8648CE3D0403020349003046022100DC"
        + "2948CF8EC20477E26C7F0B70100B5E148E40B78031CD30DADA0C4253BA9A260221008426B9436CB9"
        + "D66B040D70A17B7321A3EB9277892821B952C8255BBC15078E41"
    static let certificateKey =
        "3059301306072A8648CE3D020106082A8648CE3D03010703420004FA1F68738F3655812905A04794"
        + "7229244C9C0C86A2BCB0F036FD294385DFEFD78D3DC0D49A3290C9C35C0868082DCF1F375F7B52BB"
        + "E9D3CDC3CE1541A5096CB7"
}

@Suite struct ProofTests {
    private func check(_ form: String, _ values: [String: Value], not: Bool = false) throws -> VerbStop? {
        let argument = Value.map(values)
        let arguments = not ? ["not": Value.map([form: argument])] : [form: argument]
        return try VerbBench([:]).call("check", arguments).stop
    }

    @Test(arguments: ProofCase.all)
    func `A proof holds, and does not with another byte`(item: ProofCase) throws {
        #expect(try check(item.form, item.arguments()) == nil)
        let broken = try check(item.form, item.arguments(breaking: item.broken))
        guard case .mismatch(let mismatch)? = broken else {
            Issue.record("no mismatch: \(String(describing: broken))")
            return
        }
        #expect(mismatch.kind == .checkFailed)
    }

    @Test(arguments: ProofCase.all)
    func `A proof that must not hold is turned around`(item: ProofCase) throws {
        #expect(try check(item.form, item.arguments(breaking: item.broken), not: true) == nil)
        #expect(
            try check(item.form, item.arguments(), not: true)?.text.contains("holds, and must not") == true
        )
    }

    @Test func `A signature that is none proves nothing, and a key that is none is a mistake`() throws {
        var values = ProofCase.all[1].arguments()
        values["signature"] = .hex("3003020101")
        #expect(try check("ecdsa", values)?.text.contains("proves nothing") == true)
        values = ProofCase.all[1].arguments()
        values["key"] = .hex("0400")
        #expect(try check("ecdsa", values)?.text.hasPrefix("t.yaml:3:9: ecdsa.key: ") == true)
        #expect(try check("ecdsa", values, not: true)?.text.hasPrefix("t.yaml:3:9: ecdsa.key: ") == true)
    }

    @Test(arguments: [
        (["subject": "Somebody"], "of 'Rig Test', not of 'Somebody'"),
        (["at": "1999-12-31"], "not valid on 1999-12-31"), (["at": "soon"], "x509.at: 'soon' is no day"),
    ])
    func `What a certificate does not say is told`(changes: [String: String], sentence: String) throws {
        var values = ProofCase.all[9].arguments()
        for (name, text) in changes { values[name] = .text(text) }
        #expect(try check("x509", values)?.text.contains(sentence) == true)
    }

    @Test func `A certificate of another key or issuer is refused`() throws {
        var values = ProofCase.all[9].arguments()
        values["key"] = ProofCase.all[1].arguments()["key"]
        #expect(try check("x509", values)?.text.contains("holds another key") == true)
        values = ProofCase.all[10].arguments()
        values["issuer"] = ProofCase.all[1].arguments()["key"]
        #expect(try check("x509", values)?.text.contains("not signed by its issuer") == true)
    }

    // MARK: operator

    @Test(arguments: [
        (OperatorAnswer.done, nil), (.refused("no time"), "the operator refused 'Turn it': no time"),
        (.silent, "the operator did not answer 'Turn it' within 1min"),
    ])
    func `The operator does it, refuses, or says nothing`(answer: OperatorAnswer, sentence: String?) throws {
        let bench = VerbBench([:])
        let port = FakeOperator(answer)
        bench.session.operatorPort = port
        let (call, stop) = try bench.call(
            "operator",
            ["ask": .text("Turn it"), "within": .duration(.seconds(60))]
        )
        #expect(stop.flatMap(fault) == sentence)
        #expect(port.request == "Turn it")
        #expect(call.details == (sentence == nil ? ["Turn it"] : []))
    }

    @Test func `Where nobody can be asked the rig is to blame`() throws {
        let (_, stop) = try VerbBench([:]).call("operator", ["ask": .text("Turn it")])
        #expect(stop.flatMap(fault) == "nobody is there to be asked: Turn it")
    }

    /// The sentence of a fault; nil for other ends.
    private func fault(_ stop: VerbStop) -> String? {
        guard case .fault(let fault) = stop, fault.kind == .control else { return nil }
        return fault.detail
    }
}

/// An operator with one answer.
final class FakeOperator: OperatorPort {
    private let answer: OperatorAnswer
    // Set and read by the one thread of the test.
    nonisolated(unsafe) private(set) var request = ""

    init(_ answer: OperatorAnswer) {
        self.answer = answer
    }

    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        self.request = request
        return answer
    }
}

// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Testing
import Verbs

/// What the verbs of the NBT send and tell, on a card that answers by a table.
@Suite struct NBTVerbTests {
    private static let application = "00A4040007D276000085010100"
    private static let configurator = "00A404000DD276000004150200000B00010100"

    /// A verb with its arguments, and the last command that it sends.
    static let frames: [(verb: String, arguments: [String: Value], command: String)] = [
        ("nbt.version", [:], "0030DF3A00"), ("nbt.memory", [:], "0030DF3B00"),
        ("nbt.select", ["file": .hex("E1A1")], "00A4000C02E1A1"),
        ("nbt.select", ["file": .hex("E1A1"), "le": .boolean(true)], "00A4000C02E1A100"),
        (
            "nbt.select", ["file": .hex("E1A1"), "read-password": .hex("11223344")],
            "00A4000C08E1A152041122334400"
        ),
        (
            "nbt.select",
            [
                "file": .hex("E1A1"), "read-password": .hex("11223344"), "write-password": .hex("55667788"),
            ],
            "00A4000C0EE1A152041122334454045566778800"
        ),
        (
            "nbt.create-password",
            ["id": .number(5), "password": .hex("11223344"), "response": .hex("1234"), "tries": .number(3)],
            "00E1000009051122334412340003"
        ),
        (
            "nbt.create-password",
            [
                "id": .number(31), "password": .hex("11223344"), "master": .hex("A1A2A3A4"),
                "tries": .number(65_535),
            ],
            "00E100000DA1A2A3A41F112233449A5CFFFF"
        ),
        ("nbt.delete-password", ["id": .number(5)], "00E40005"),
        ("nbt.delete-password", ["id": .number(5), "master": .hex("A1A2A3A4")], "00E4000504A1A2A3A4"),
        (
            "nbt.change-password", ["id": .number(5), "password": .hex("55667788")],
            "002400450455667788"
        ),
        ("nbt.unblock-password", ["id": .number(5), "master": .hex("A1A2A3A4")], "0024000504A1A2A3A4"),
        (
            "nbt.personalize", ["cott-key": .hex("373F5060409BA014B69A627622F23B59")],
            "00E2000013A00110373F5060409BA014B69A627622F23B59"
        ),
        (
            "nbt.personalize",
            ["password": .hex("11223344"), "id": .number(5), "response": .hex("1234")],
            "00E200000CA00309051122334412340003"
        ),
        ("nbt.personalize", ["file": .hex("E1A1"), "data": .hex("0102")], "00E2000005E1A1020102"),
        ("nbt.personalize", ["group": .hex("A0FF"), "data": .hex("")], "00E2000003A0FF00"),
        ("nbt.finalize", [:], "00E2000003BF6300"),
        ("nbt.get-configuration", ["setting": .text("gpio-function")], "2030000002C030"),
        ("nbt.get-configuration", ["setting": .text("C0 60")], "2030000002C060"),
        (
            "nbt.set-configuration",
            ["setting": .text("gpio-function"), "value": .text("pass-through-interrupt")],
            "2020000004C0300104"
        ),
        (
            "nbt.set-configuration", ["setting": .text("i2c-idle-timeout"), "value": .text("000003E8")],
            "2020000007C04004000003E8"
        ),
        ("nbt.authenticate", ["challenge": .hex("0011223344556677")], "0088000008001122334455667700"),
        ("nbt.backend-test", [:], "00BE007F"),
        ("nbt.backend-test", ["tests": .list([.text("random"), .text("cott")])], "00BE0041"),
        ("nbt.pass-through", [:], "00A4040005010203040500"),
        ("nbt.pass-through", ["le": .boolean(false)], "00A40400050102030405"),
        ("nbt.pass-through", ["led": .text("on")], "00000001"),
        ("nbt.pass-through", ["led": .text("off"), "select": .boolean(false)], "00000000"),
        ("nbt.fetch", [:], "38CA0000"),
        ("nbt.put-response", ["response": .hex("CAFE9000")], "38DA000004CAFE9000"),
        (
            "nbt.write-message", ["message": .hex("AABB"), "order": .text("length-first")],
            "00D60000040002AABB"
        ),
        ("nbt.write-message", ["message": .hex("AABB"), "password": .hex("01020304")], "00D60000020002"),
        ("nbt.policy", ["file": .hex("E1A1"), "rights": .hex("40004081")], "00D6000006E1A140004081"),
    ]

    @Test(arguments: frames)
    func `A verb sends the vendor's frame`(verb: String, arguments: [String: Value], command: String) throws {
        let bench = VerbBench(["*": "9000"])
        _ = try bench.call(verb, arguments)
        #expect(bench.wire.last == command)
    }

    @Test func `Settings are read and written with the configurator selected`() throws {
        let bench = VerbBench(["2030000002C030": "C03001049000", "*": "9000"])
        let (read, _) = try bench.call("nbt.get-configuration", ["setting": .text("gpio-function")])
        #expect(read.observation.fields["value"] == .hex("04"))
        #expect(read.observation.fields["word"] == .text("pass-through-interrupt"))
        #expect(bench.wire.first == Self.configurator)
        _ = try bench.call(
            "nbt.set-configuration",
            ["setting": .text("interfaces"), "value": .text("both"), "select": .boolean(false)]
        )
        #expect(bench.wire.count == 3)
    }

    @Test func `The flash loader is refused before anything is sent`() throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call(
            "nbt.set-configuration",
            ["setting": .text("flash-loader"), "value": .text("FFFF")]
        )
        #expect(stop?.text == "fault permission")
        #expect(bench.wire == [])
    }

    /// What cannot be undone.
    static let destructive: [(verb: String, arguments: [String: Value])] = [
        ("nbt.finalize", [:]), ("nbt.personalize", ["group": .hex("BF63"), "data": .hex("")]),
        ("nbt.set-configuration", ["setting": .text("life-cycle"), "value": .text("operational")]),
        ("nbt.set-configuration", ["setting": .text("C021"), "value": .text("5AA5")]),
        ("nbt.set-configuration", ["setting": .text("interfaces"), "value": .text("i2c-only")]),
        ("nbt.set-configuration", ["setting": .text("C060"), "value": .text("01")]),
        ("nbt.policy", ["file": .hex("E1AF"), "rights": .hex("00000000")]),
        ("nbt.policy", ["file": .hex("E1AF"), "rights": .hex("40404000")]),
        ("nbt.policy", ["file": .hex("E1AF"), "rights": .hex("40004040")]),
        ("nbt.personalize", ["ecc-key": .bytes([UInt8](repeating: 1, count: 32))]),
        ("nbt.personalize", ["cott-key": .bytes([UInt8](repeating: 1, count: 16))]),
        ("nbt.personalize", ["group": .hex("A002"), "data": .hex("00")]),
        ("nbt.personalize", ["file": .hex("E1AF"), "data": .hex("E10340004000E1AF40404000")]),
        ("write", ["data": .hex("E1AF00000000")]),
        ("send", ["apdu": .hex("00E2000003BF6300")]),
        ("send", ["apdu": .hex("00E2000003A00200")]),
        ("send", ["apdu": .hex("00D6000006E1AF40404000")]),
        // A length of three bytes, in all groups.
        ("send", ["apdu": .hex("00E200000BE1AFFF0006E1AF40404000")]),
        ("send", ["apdu": .hex("00E2000007A002FF0002AABB")]),
        // Passwords that the chip may not have.
        ("nbt.policy", ["file": .hex("E1AF"), "rights": .hex("4040409E")]),
        ("send", ["apdu": .hex("00D6000006E1AF40814040")]),
        ("send", ["apdu": .hex("00E2000009E1AF06E1AF4040409E")]),
        // A password that may rule the policy.
        ("nbt.delete-password", ["id": .number(31), "master": .hex("11223344")]),
        ("send", ["apdu": .hex("2020000005C02F02FFFF")]),
        ("send", ["apdu": .hex("2020000005C02102C33C")]),
        ("send", ["apdu": .hex("2020000004C0600101")]),
        // Not well formed: who knows what the chip makes of it.
        ("send", ["apdu": .hex("2020000009C0600101")]),
    ]

    @Test(arguments: destructive)
    func `What cannot be undone is sent only where the case may`(
        verb: String,
        arguments: [String: Value]
    ) throws {
        let bench = VerbBench(["*": "9000"])
        bench.session.allowsDestruction = false
        let (_, stop) = try bench.call(verb, arguments)
        #expect(stop?.text == "fault permission")
        #expect(bench.wire == [])
        bench.session.allowsDestruction = true
        let (_, none) = try bench.call(verb, arguments)
        #expect(none == nil)
        #expect(!bench.wire.isEmpty)
    }

    @Test(arguments: [
        "2020000004C0600110", "2020000004C0600111", "2020000004C0300101", "2030000002C02F",
        "00D6000006E1A100000000", "00D6000006E1AF40404040", "00D6000006E1AF81408140", "00E2000004E1A10155",
        "00E400001F",
        "00E200000CA0030901A1B2C3D49A5C0003", "00A4000C02E1AF",
    ])
    func `What can be undone is sent on a real card too`(_ command: String) throws {
        let bench = VerbBench(["*": "9000"])
        bench.session.allowsDestruction = false
        let (_, stop) = try bench.call("send", ["apdu": .hex(command)])
        #expect(stop == nil)
        #expect(bench.wire == [command])
    }

    @Test func `A password that the case has seen may rule the policy, and is not deleted then`() throws {
        let bench = VerbBench(["*": "9000"])
        bench.session.allowsDestruction = false
        func stop(_ verb: String, _ arguments: [String: Value]) throws -> String? {
            try bench.call(verb, arguments).stop?.text
        }
        let rule: [String: Value] = ["file": .hex("E1AF"), "rights": .hex("4040409F")]
        #expect(try stop("nbt.policy", rule) == "fault permission")
        let password: [String: Value] = ["id": .number(31), "password": .hex("11111111")]
        #expect(try stop("nbt.create-password", password) == nil)
        #expect(try stop("nbt.policy", rule) == nil)
        let master: Value = .hex("11111111")
        #expect(try stop("nbt.delete-password", ["id": .number(31), "master": master]) == "fault permission")
        #expect(try stop("nbt.delete-password", ["id": .number(30), "master": master]) == nil)
        let open: [String: Value] = ["file": .hex("E1AF"), "rights": .hex("40404040"), "master": master]
        #expect(try stop("nbt.policy", open) == nil)
        #expect(try stop("nbt.delete-password", ["id": .number(31)]) == nil)
        #expect(try stop("nbt.policy", rule) == "fault permission")
    }

    @Test func `A policy that asks for the same password as before takes nothing away`() throws {
        let table = "E10340004000E10440404040E1A140404040E1A240404040E1A340404040E1A440404040E1AF4040409F"
        let bench = VerbBench(["00B000002A": table + "9000", "*": "9000"])
        bench.session.allowsDestruction = false
        #expect(try bench.call("nbt.policy").stop == nil)
        let same: [String: Value] = ["file": .hex("E1AF"), "rights": .hex("4040809F")]
        #expect(try bench.call("nbt.policy", same).stop == nil)
    }

    @Test func `The same bytes are no danger in another file, nor to another device`() throws {
        let bench = VerbBench(["*": "9000"])
        bench.session.allowsDestruction = false
        _ = try bench.call("select", ["target": .hex("E1A1")])
        let (_, inFile) = try bench.call("write", ["data": .hex("E1AF00000000")])
        #expect(inFile == nil)
        let (_, elsewhere) = try bench.call("send", ["apdu": .hex("00E2000003BF6300")], target: "iso7816")
        #expect(elsewhere == nil)
        #expect(bench.wire.count == 3)
    }

    @Test func `Interfaces with NFC are no danger`() throws {
        let bench = VerbBench(["*": "9000"])
        bench.session.allowsDestruction = false
        let (_, stop) = try bench.call(
            "nbt.set-configuration",
            ["setting": .text("interfaces"), "value": .text("nfc-only")]
        )
        #expect(stop == nil)
    }

    @Test(arguments: [("40408140", "read", "write"), ("40404081", "write", "read")])
    func `A response without a tag is of the side that asks for a password, where that is known`(
        rights: String,
        asked: String,
        open: String
    ) throws {
        let bench = VerbBench([
            "00A4000C0EE1A152041122334454045566778800": "AAAA9000", "*": "9000",
        ])
        let both: [String: Value] = [
            "file": .hex("E1A1"), "read-password": .hex("11223344"), "write-password": .hex("55667788"),
        ]
        let (blind, _) = try bench.call("nbt.select", both)
        #expect(blind.observation.fields["read"] == .text("unknown"))
        _ = try bench.call("nbt.policy", ["file": .hex("E1A1"), "rights": .hex(rights)])
        let (call, _) = try bench.call("nbt.select", both)
        #expect(call.observation.fields[asked] == .text("accepted"))
        #expect(call.observation.fields["\(asked)-response"] == .hex("AAAA"))
        #expect(call.observation.fields[open] == .text("unknown"))
    }

    @Test func `A selection tells what became of its passwords`() throws {
        let bench = VerbBench(["*": "52021234540200009000"])
        let (call, _) = try bench.call(
            "nbt.select",
            ["file": .hex("E1A1"), "read-password": .hex("11223344"), "write-password": .hex("55667788")]
        )
        #expect(call.observation.fields["read"] == .text("accepted"))
        #expect(call.observation.fields["read-response"] == .hex("1234"))
        #expect(call.observation.fields["write"] == .text("wrong"))
        #expect(call.observation.fields["write-response"] == nil)
    }

    @Test func `A policy is read with its use case, and installed`() throws {
        let table =
            "E10340004000E10440404000E1A140004040E1A240404000E1A300000000E1A400000000E1AF40404040"
        let bench = VerbBench(["00B000002A": table + "9000", "*": "9000"])
        let (read, _) = try bench.call("nbt.policy")
        #expect(read.observation.fields["policy"] == .hex(table))
        #expect(read.observation.fields["profile"] == .text("adt"))
        let (apply, _) = try bench.call(
            "nbt.install",
            ["profile": .text("pass-through"), "only-changes": .boolean(true), "master": .hex("01020304")]
        )
        #expect(apply.observation.fields["written"] == .number(2))
        let whole = VerbBench(["*": "9000"])
        let (install, _) = try whole.call("nbt.install", ["profile": .text("adt")])
        #expect(install.observation.fields["written"] == .number(7))
        #expect(whole.wire.count == 20)
        let reset = VerbBench(["*": "9000"])
        _ = try reset.call("nbt.install", ["profile": .text("delivery")])
        #expect(reset.wire.last == "00D60000020000")
    }

    @Test func `Memory and tests come back by their names`() throws {
        let bench = VerbBench(["0030DF3B00": "6F0FDF3B0CC6021234C7020400C80202009000", "*": "019000"])
        let (memory, _) = try bench.call("nbt.memory")
        #expect(memory.observation.fields["persistent"] == .number(0x1234))
        #expect(memory.observation.fields["clear-on-deselect"] == .number(0x200))
        let (tests, _) = try bench.call(
            "nbt.backend-test",
            ["tests": .list([.text("random"), .text("sign")])]
        )
        #expect(tests.observation.fields["passed"] == .list([.text("random")]))
        #expect(tests.observation.fields["failed"] == .list([.text("sign")]))
    }

    @Test func `The host's side sees status and command`() throws {
        let bench = VerbBench(["*": "007F00A404000501020304059000"])
        let (call, _) = try bench.call("nbt.fetch")
        #expect(call.observation.fields["status"] == .hex("007F"))
        #expect(call.observation.fields["command"] == .hex("00A40400050102030405"))
        let (empty, _) = try VerbBench(["*": "00009000"]).call("nbt.fetch")
        #expect(empty.observation.fields["events"] == .list([]))
        #expect(empty.observation.fields["command"] == nil)
    }

    // MARK: - Brand protection

    /// The published sample: key, and the signature of a challenge.
    private static let key =
        "0423A7862B6496B494CE880BA3D2A303C3E735CBEE54106222D67C26EC49AC0E17537057AD57054BFAC7B5E644DF7E4CB8E01052BDC6D146"
        + "F0EF66F897C3942806"
    private static let signature =
        "3045022100D20223C3D9D5A9FD47E73BEDCAFBA30E82E02A16C20D276B79B394B8D1D245E6022054192C1769F477E2D573090F365D4EB3B1"
        + "AF2BA0048D0B7D43E632BA95E3D54A"

    @Test func `A signature is checked with a key, and told when it is wrong`() throws {
        let bench = VerbBench(["*": Self.signature + "9000"])
        let right: [String: Value] = ["challenge": .hex("0011223344556677"), "key": .hex(Self.key)]
        let (call, stop) = try bench.call("nbt.authenticate", right)
        #expect(stop == nil)
        #expect(call.observation.fields["verified"] == .boolean(true))
        #expect(call.observation.fields["signature"] == .hex(Self.signature))
        let (_, wrong) = try bench.call(
            "nbt.authenticate",
            ["challenge": .hex("00"), "key": .hex(Self.key)]
        )
        #expect(wrong?.text == "error wrongSignature")
        let (open, none) = try bench.call("nbt.authenticate")
        #expect(none == nil)
        #expect(open.observation.fields["verified"] == nil)
        guard case .bytes(let challenge)? = open.observation.fields["challenge"] else {
            Issue.record("there is no challenge")
            return
        }
        #expect(challenge.count == 8)
    }

    @Test func `A token is judged once, and a second time as used`() throws {
        let bench = VerbBench(["*": "9000"])
        let token: [String: Value] = ["token": .text("AAEFjD_Z1LIAAAECAwQFBgfcsKOYg_n40QMhCkjZ0Z5M")]
        let (first, none) = try bench.call("nbt.verify-token", token)
        #expect(none == nil)
        #expect(first.observation.fields["status"] == .number(200))
        #expect(first.observation.fields["uid"] == .hex("058C3FD9D4B200"))
        let (second, used) = try bench.call("nbt.verify-token", token)
        #expect(used?.text == "error usedToken")
        #expect(second.observation.fields["status"] == .number(429))
        let (_, unknown) = try bench.call(
            "nbt.verify-token",
            token.merging(["uid": .hex("01020304050607")]) { $1 }
        )
        #expect(unknown?.text == "error unknownChip")
        let (_, malformed) = try bench.call("nbt.verify-token", ["token": .text("A")])
        #expect(malformed?.text == "error malformedToken")
        let (_, untouched) = try bench.call(
            "nbt.verify-token",
            ["token": .text("PLACEHOLDERPLACEHOLDERPLACEHOLDERPLACEHOLDER")]
        )
        #expect(untouched?.text == "error malformedToken")
        let (_, forged) = try VerbBench(["*": "9000"]).call(
            "nbt.verify-token",
            token.merging(["key": .hex("000102030405060708090A0B0C0D0E0F")]) { $1 }
        )
        #expect(forged?.text == "error wrongCode")
        #expect(bench.wire == [])
    }

    @Test func `Without a certificate the chip is not genuine`() throws {
        let bench = VerbBench(["00B0000000": "0005D101015541" + "9000", "*": "9000"])
        for verb in ["nbt.read-certificate", "nbt.prove-genuine"] {
            let (_, stop) = try bench.call(verb)
            #expect(stop?.text == "error noCertificate")
        }
        let (_, token) = try bench.call("nbt.verify-token")
        #expect(token?.text == "error malformedToken")
    }

    /// Arguments that no step can use.
    static let wrong: [(verb: String, arguments: [String: Value], name: String)] = [
        ("nbt.select", ["file": .hex("E1")], "file"),
        ("nbt.select", ["file": .hex("E1A1"), "read-password": .hex("01")], "read-password"),
        ("nbt.create-password", ["id": .number(1), "password": .hex("01")], "password"),
        (
            "nbt.create-password", ["id": .number(1), "password": .hex("01020304"), "response": .hex("01")],
            "response"
        ),
        ("nbt.delete-password", ["id": .number(32)], "id"),
        ("nbt.personalize", [:], "cott-key"), ("nbt.personalize", ["cott-key": .hex("01")], "cott-key"),
        ("nbt.personalize", ["file": .hex("E1A1")], "data"),
        ("nbt.get-configuration", ["setting": .text("gpio")], "setting"),
        ("nbt.set-configuration", ["setting": .text("interfaces"), "value": .text("none")], "value"),
        ("nbt.authenticate", ["challenge": .hex("")], "challenge"),
        ("nbt.authenticate", ["key": .hex("0102")], "key"),
        ("nbt.authenticate", ["certificate": .hex("3000")], "certificate"),
        ("nbt.read-certificate", ["issuer": .hex("3000")], "issuer"),
        ("nbt.read-certificate", ["at": .text("tomorrow")], "at"),
        ("nbt.verify-token", ["key": .hex("01")], "key"),
        ("nbt.put-response", ["response": .hex("90")], "response"),
        ("nbt.pass-through", ["select": .boolean(false)], "led"),
        ("nbt.policy", ["file": .hex("E1A1")], "rights"),
    ]

    @Test(arguments: wrong)
    func `Arguments that cannot be used are told before anything is sent`(
        verb: String,
        arguments: [String: Value],
        name: String
    ) throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call(verb, arguments)
        guard case .argument(let mistake)? = stop else {
            Issue.record("it ended with \(String(describing: stop))")
            return
        }
        #expect(mistake.description.contains("\(name): "))
        #expect(bench.wire == [])
    }

    @Test func `Records of all kinds are written as one message`() throws {
        let container = "000F20010000FF0406E10410000000"
        let bench = VerbBench(["00B000000F": container + "9000", "*": "9000"])
        let (call, stop) = try bench.call(
            "ndef.write",
            [
                "records": .list([
                    .map(["uri": .text("https://example.com")]),
                    .map(["text": .text("a"), "language": .text("de")]),
                    .map(["external": .text("a.b:c"), "payload": .hex("01"), "id": .hex("00")]),
                    .map(["media": .text("a/b"), "payload": .hex("0203")]),
                ])
            ]
        )
        #expect(stop == nil)
        #expect(call.observation.fields["length"] == .number(43))
        let written = bench.wire.filter { $0.hasPrefix("00D60002") }.first
        #expect(written?.hasPrefix("00D600022B" + "91010C5504") == true)
        #expect(written?.hasSuffix("5203" + "02" + "612F62" + "0203") == true)
        let (_, both) = try bench.call("ndef.write", ["uri": .text("a"), "records": .list([])])
        #expect(both?.text.contains("exactly one of") == true)
    }
}

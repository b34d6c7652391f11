// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct PasswordTests {
    private static let pw: [UInt8] = [0x11, 0x22, 0x33, 0x44]

    @Test func `A selection tells what became of each password`() throws {
        let peer = ScriptedPeer([("00A4000C0EE1A152041122334454041122334400", "5202123454020000" + "9000")])
        let selection = try NBTCommandSet(peer).select(.file1, readPassword: Self.pw, writePassword: Self.pw)
        #expect(selection.readPassword == .accepted(response: [0x12, 0x34]))
        #expect(selection.writePassword == .wrong)
        #expect(selection.data.count == 8)
    }

    @Test func `A selection without passwords tells nothing of them`() throws {
        let selection = try NBTCommandSet(ScriptedPeer([("00A4000C02E1A1", "9000")])).select(.file1)
        #expect(selection.readPassword == nil && selection.writePassword == nil)
        let write = try NBTCommandSet(ScriptedPeer([("*", "54021234" + "9000")]))
            .select(.file1, writePassword: Self.pw)
        #expect(write.readPassword == nil)
        #expect(write.writePassword?.response == [0x12, 0x34])
    }

    @Test func `Files are read and written with their passwords`() throws {
        let peer = ScriptedPeer([
            ("00A4000C08E1A152041122334400", "9000"), ("00B0000002", "AABB9000"),
            ("00A4000C08E1A154041122334400", "9000"), ("00D6000501CC", "9000"),
        ])
        let commands = NBTCommandSet(peer)
        #expect(try commands.read(.file1, length: 2, password: Self.pw) == [0xAA, 0xBB])
        try commands.update(.file1, offset: 5, data: [0xCC], password: Self.pw)
        #expect(peer.isOver)
    }

    @Test func `Passwords are created, changed, unblocked and deleted`() throws {
        let peer = ScriptedPeer([
            ("00E100000D1122334405AABBCCDD1234FFFF", "9000"), ("002400450811223344AABBCCDE", "9000"),
            ("002400050411223344", "9000"), ("00E400050411223344", "9000"), ("00E40005", "6A88"),
        ])
        let commands = NBTCommandSet(peer)
        let password = try NBTPassword(
            id: 5,
            value: [0xAA, 0xBB, 0xCC, 0xDD],
            response: [0x12, 0x34],
            tries: PasswordLimits.unlimitedTries
        )
        try commands.createPassword(password, masterPassword: Self.pw)
        try commands.changePassword(5, to: [0xAA, 0xBB, 0xCC, 0xDE], masterPassword: Self.pw)
        try commands.unblockPassword(5, masterPassword: Self.pw)
        try commands.deletePassword(5, masterPassword: Self.pw)
        #expect {
            try commands.deletePassword(5)
        } throws: {
            "\($0)" == "DELETE PASSWORD was answered with 6A88: there is no password with that id"
        }
    }

    @Test func `What no password can be is refused`() {
        #expect(throws: NBTError.self) {
            try NBTPassword(id: 0, value: Self.pw, response: [1, 2], tries: 3)
        }
        #expect(throws: NBTError.self) {
            try NBTPassword(id: 32, value: Self.pw, response: [1, 2], tries: 3)
        }
        #expect(throws: NBTError.self) { try NBTPassword(id: 1, value: [1], response: [1, 2], tries: 3) }
        #expect(throws: NBTError.self) { try NBTPassword(id: 1, value: Self.pw, response: [1], tries: 3) }
    }

    @Test func `The access policy is read and written with the master password`() throws {
        let table = UseCase.delivery.accessTable
        let peer = ScriptedPeer([
            ("00A4000C08E1AF52041122334400", "9000"), ("00B000002A", table.bytes.hex + "9000"),
            ("00A4000C08E1AF54041122334400", "9000"), ("00D6000006E1A240404000", "9000"),
        ])
        var wanted = table
        let index = try #require(wanted.policies.firstIndex { $0.file == .file2 })
        wanted.policies[index] = try FileAccessPolicy(file: .file2, rights: [0x40, 0x40, 0x40, 0x00])
        #expect(try NBTCommandSet(peer).apply(wanted, masterPassword: Self.pw).map(\.file) == [.file2])
        #expect(peer.isOver)
        #expect(throws: NBTError.self) { try FileAccessPolicy(file: .file2, rights: [0x40]) }
    }

    @Test func `Personalization sends each data group`() throws {
        let peer = ScriptedPeer([
            ("00E2000013A00110373F5060409BA014B69A627622F23B59", "9000"),
            ("00E200000CA00309051122334412340003", "9000"), ("00E2000005E1A1020102", "9000"),
            ("00E2000004A0FF01AA", "6A88"), ("00E2000003BF6300", "9000"),
        ])
        let commands = NBTCommandSet(peer)
        try commands.personalize(cottKey: COTTLayout.developmentKey)
        try commands.personalize(
            password: try NBTPassword(id: 5, value: Self.pw, response: [0x12, 0x34], tries: 3)
        )
        try commands.personalize(file: .file1, content: [1, 2])
        #expect(throws: NBTError.self) {
            try commands.personalize(PersonalizationGroup(rawValue: 0xA0FF), data: [0xAA])
        }
        try commands.finalizePersonalization()
        #expect(peer.isOver)
    }

    @Test func `The host's side of the pass-through fetches and answers`() throws {
        let peer = ScriptedPeer([
            ("38CA0000", "007F00A404000501020304059000"), ("38DA0000029000", "9000"),
            ("38CA0000", "00079000"),
            ("38DA000004CAFE6A80", "6985"), ("00BE007F", "7D9000"),
        ])
        let commands = NBTCommandSet(peer)
        let request = try commands.fetchData()
        #expect(request.command?.hex == "00A40400050102030405")
        #expect(request.status.contains([.fieldLost, .commandAvailable]))
        try commands.putResponse(ResponseAPDU(sw: .success))
        #expect(try commands.fetchData().command == nil)
        #expect {
            try commands.putResponse(ResponseAPDU(data: [0xCA, 0xFE], sw: StatusWord(rawValue: 0x6A80)))
        } throws: {
            "\($0)" == "PUT RESPONSE was answered with 6985: no command was fetched that could be answered"
        }
        #expect(try commands.backendTest() == BackendTests.all.subtracting(.sign))
    }
}

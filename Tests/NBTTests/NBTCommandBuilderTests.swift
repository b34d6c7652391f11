// SPDX-License-Identifier: MIT

import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite("NBT command builder")
struct NBTCommandBuilderTests {
    /// Each frame of the fixture, built by this library.
    private static func built() throws -> [String: CommandAPDU] {
        var frames: [String: CommandAPDU] = [
            "select-application": try NBTCommandBuilder.select(application: NBTApplication.tag),
            "select-configurator": try NBTCommandBuilder.select(application: NBTApplication.configurator),
            "select-file1-read-password": try NBTCommandBuilder.select(
                file: .file1,
                readPassword: [0x11, 0x22, 0x33, 0x44]
            ),
            "select-file1-write-password": try NBTCommandBuilder.select(
                file: .file1,
                writePassword: [0x55, 0x66, 0x77, 0x88]
            ),
            "select-file1-both-passwords": try NBTCommandBuilder.select(
                file: .file1,
                readPassword: [0x11, 0x22, 0x33, 0x44],
                writePassword: [0x55, 0x66, 0x77, 0x88]
            ),
            "select-fap-master-read": try NBTCommandBuilder.select(
                file: .accessPolicy,
                readPassword: [0xA1, 0xA2, 0xA3, 0xA4]
            ),
            "select-fap-master-write": try NBTCommandBuilder.select(
                file: .accessPolicy,
                writePassword: [0xA1, 0xA2, 0xA3, 0xA4]
            ),
            "read-1": try NBTCommandBuilder.readBinary(offset: 0, length: 1),
            "read-256": try NBTCommandBuilder.readBinary(offset: 0, length: 256),
            "read-255": try NBTCommandBuilder.readBinary(offset: 0, length: 255),
            "read-offset-0203-255": try NBTCommandBuilder.readBinary(offset: 0x0203, length: 255),
            "read-offset-0203-16": try NBTCommandBuilder.readBinary(offset: 0x0203, length: 16),
            "read-fap-42": try NBTCommandBuilder.readBinary(offset: 0, length: 42),
            "update-led-on": try NBTCommandBuilder.updateBinary(offset: 0, data: [0x01]),
            "update-led-off": try NBTCommandBuilder.updateBinary(offset: 0, data: [0x00]),
            "update-cc-offset-15": try NBTCommandBuilder.updateBinary(
                offset: 15,
                data: [0x05, 0x06, 0xE1, 0xA1, 0x04, 0x00, 0x00, 0x00]
            ),
            "get-data-version": try NBTCommandBuilder.getVersion(),
            "get-data-memory": try NBTCommandBuilder.getMemory(),
            "set-config-gpio-3": try NBTCommandBuilder.setConfiguration(.gpioFunction, value: [0x03]),
            "set-config-gpio-4": try NBTCommandBuilder.setConfiguration(.gpioFunction, value: [0x04]),
            "set-config-interfaces-both": try NBTCommandBuilder.setConfiguration(.interfaces, value: [0x11]),
            "set-config-i2c-idle-timeout": try NBTCommandBuilder.setConfiguration(
                .i2cIdleTimeout,
                value: [0x00, 0x00, 0x03, 0xE8]
            ),
            "get-config-gpio": try NBTCommandBuilder.getConfiguration(.gpioFunction),
        ]
        let names: [(String, NBTFile)] = [
            ("cc", .capabilityContainer), ("ndef", .ndef), ("file1", .file1), ("file2", .file2),
            ("file3", .file3),
            ("file4", .file4), ("fap", .accessPolicy),
        ]
        for (name, file) in names {
            frames["select-file-\(name)"] = try NBTCommandBuilder.select(file: file)
            frames["select-file-\(name)-le"] = try NBTCommandBuilder.select(file: file, expectsAnswer: true)
        }
        let file1Open = FileAccessPolicy(
            file: .file1,
            i2cRead: .always,
            i2cWrite: .never,
            nfcRead: .always,
            nfcWrite: .always
        )
        frames["update-fap-file1"] = try NBTCommandBuilder.updatePolicy(file1Open)
        var withPassword = file1Open
        withPassword.nfcWrite = try .password(1)
        frames["update-fap-file1-password-1"] = try NBTCommandBuilder.updatePolicy(withPassword)
        frames.merge(try passwordFrames()) { first, _ in first }
        frames.merge(try otherFrames()) { first, _ in first }
        return frames
    }

    private static let master: [UInt8] = [0xA1, 0xA2, 0xA3, 0xA4]
    private static let value: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    private static let newValue: [UInt8] = [0x55, 0x66, 0x77, 0x88]

    private static func passwordFrames() throws -> [String: CommandAPDU] {
        func password(_ id: UInt8, _ tries: UInt16) throws -> NBTPassword {
            try NBTPassword(id: id, value: value, response: [0x12, 0x34], tries: tries)
        }
        return [
            "create-password": try NBTCommandBuilder.createPassword(try password(5, 3)),
            "create-password-master": try NBTCommandBuilder.createPassword(
                try password(5, 3),
                masterPassword: master
            ),
            "create-password-master-max": try NBTCommandBuilder.createPassword(
                try password(0x1F, 0x7FFF),
                masterPassword: master
            ),
            "delete-password": try NBTCommandBuilder.deletePassword(5),
            "delete-password-master": try NBTCommandBuilder.deletePassword(5, masterPassword: master),
            "change-password": try NBTCommandBuilder.changePassword(5, to: newValue),
            "change-password-master": try NBTCommandBuilder.changePassword(
                5,
                to: newValue,
                masterPassword: master
            ),
            "unblock-password": try NBTCommandBuilder.unblockPassword(5),
            "unblock-password-master": try NBTCommandBuilder.unblockPassword(5, masterPassword: master),
            "personalize-password": try NBTCommandBuilder.personalize(password: try password(5, 3)),
        ]
    }

    private static func otherFrames() throws -> [String: CommandAPDU] {
        let key = try Fixture.json("signatures.json").hex("sample_private_key")
        return [
            "authenticate-tag-8": try NBTCommandBuilder.authenticateTag(
                challenge: [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77]
            ),
            "personalize-cott-key": try NBTCommandBuilder.personalize(cottKey: COTTLayout.developmentKey),
            "personalize-ecc-key": try NBTCommandBuilder.personalize(eccKey: key),
            "finalize-personalization": try NBTCommandBuilder.finalizePersonalization(),
            "backend-test-all": try NBTCommandBuilder.backendTest(.all),
            "pass-through-fetch-data": try NBTCommandBuilder.fetchData(),
            "pt-demo-select-ios": try NBTCommandBuilder.selectPassThroughExample(),
            "pt-demo-led-on": try NBTCommandBuilder.passThroughLED(on: true),
            "pt-demo-led-off": try NBTCommandBuilder.passThroughLED(on: false),
        ]
    }

    /// Frames that are no commands of ISO/IEC 7816.
    private static func rawFrames() throws -> [String: [UInt8]] {
        [
            "pass-through-put-response-sw": try NBTCommandBuilder.putResponse(ResponseAPDU(sw: .success)),
            "pass-through-put-response-data": try NBTCommandBuilder.putResponse(
                ResponseAPDU(data: [0xCA, 0xFE], sw: .success)
            ),
        ]
    }

    @Test("are the frames of the vendor's libraries, byte for byte")
    func vendorFrames() throws {
        let built = try Self.built().mapValues(\.bytes).merging(try Self.rawFrames()) { first, _ in first }
        let items = try #require(try Fixture.json("host-commands.json").array)
        #expect(items.count == built.count)
        for item in items {
            let id = try #require(item["id"]?.string)
            #expect(
                try #require(built[id], "no frame for \(id)").hex == item["command"]?.string,
                "\(id)"
            )
        }
    }

    @Test("refuse arguments that no short APDU can carry")
    func refusals() throws {
        #expect(throws: NBTError.self) { try NBTCommandBuilder.readBinary(offset: 0, length: 0) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.readBinary(offset: 0, length: 257) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.readBinary(offset: 65_536, length: 1) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.readBinary(offset: -1, length: 1) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.updateBinary(offset: 0, data: []) }
        #expect(throws: NBTError.self) {
            try NBTCommandBuilder.updateBinary(offset: 0, data: [UInt8](repeating: 0, count: 256))
        }
        #expect(throws: NBTError.argument("a password has 4 bytes, not 3")) {
            try NBTCommandBuilder.select(file: .file1, readPassword: [1, 2, 3])
        }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.select(application: [1, 2, 3, 4]) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.deletePassword(0) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.unblockPassword(32) }
        #expect(throws: NBTError.argument("a master password has 4 bytes, not 1")) {
            try NBTCommandBuilder.deletePassword(1, masterPassword: [1])
        }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.personalize(cottKey: [1]) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.personalize(eccKey: [1]) }
        #expect(throws: NBTError.self) {
            try NBTCommandBuilder.personalize(file: .accessPolicy, content: [UInt8](repeating: 0, count: 43))
        }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.backendTest([]) }
        #expect(throws: NBTError.self) { try NBTCommandBuilder.backendTest(BackendTests(rawValue: 0x80)) }
        #expect(throws: NBTError.self) {
            try NBTCommandBuilder.putResponse(
                ResponseAPDU(data: [UInt8](repeating: 0, count: 65_534), sw: .success)
            )
        }
        #expect(throws: NBTError.self) { try AccessCondition.password(0) }
        #expect(throws: NBTError.self) { try AccessCondition.password(32) }
    }

    @Test(
        "have names for the trace",
        arguments: [
            ("00A4040007D276000085010100", "SELECT application"),
            ("00A404000DD276000004150200000B00010100", "SELECT configurator"),
            ("00A4040005010203040500", "SELECT pass-through example"),
            ("00A4040005010203040600", "SELECT 0102030406"),
            ("0024000504A1A2A3A4", "UNBLOCK PASSWORD"),
            ("002400450455667788", "CHANGE PASSWORD"),
            ("00E2000003BF6300", "FINALIZE PERSONALIZATION"),
            ("00E2000006E1A10301020304", "PERSONALIZE DATA FILE_1"),
            ("00E2000003A0FF00", "PERSONALIZE DATA A0FF"),
            ("00E2000013A00110373F5060409BA014B69A627622F23B59", "PERSONALIZE DATA token key"),
            ("00BE007F", "BACKEND TEST"),
            ("38CA0000", "FETCH DATA"),
            ("00A4000C02E1A1", "SELECT FILE_1"),
            ("00A4000C02E1B0", "SELECT E1B0"),
            ("00B0000001", "READ BINARY"),
            ("2020000004C0600111", "SET CONFIGURATION"),
            ("2030000002C030", "GET CONFIGURATION"),
            ("0030DF3A00", "GET DATA"),
        ]
    )
    func names(command: String, name: String) throws {
        #expect(NBTDictionary.name(of: try CommandAPDU(bytes: try HexText.bytes(command))) == name)
    }

    @Test("the dictionary names commands by their bytes, those that are none of ISO/IEC 7816 too")
    func namesOfBytes() throws {
        let long = [0x38, 0xDA, 0x00, 0x01, 0x02] + [UInt8](repeating: 0x5A, count: 258)
        #expect((try? CommandAPDU(bytes: long)) == nil)
        #expect(NBTDictionary.name(of: long) == "PUT RESPONSE")
        #expect(NBTDictionary.name(of: try HexText.bytes("38CA0000")) == "FETCH DATA")
        #expect(NBTDictionary.name(of: try HexText.bytes("38990000")) == nil)
        #expect(NBTDictionary.name(of: try HexText.bytes("00B0000001")) == "READ BINARY")
        #expect(NBTDictionary.name(of: try HexText.bytes("00B0")) == nil)
    }

    @Test("the dictionary knows the files by their words")
    func dictionary() {
        let words = ["CC", "NDEF", "FILE_1", "FILE_2", "FILE_3", "FILE_4", "FAP"]
        #expect(NBTDictionary.fileNames == words)
        #expect(NBTDictionary.file(named: "FILE_2") == .file2)
        #expect(NBTDictionary.file(named: "FILE_5") == nil)
        #expect("\(NBTFile.file1)" == "FILE_1 (E1A1)")
        #expect("\(NBTFile(rawValue: 0x00AB))" == "00AB")
    }
}

// SPDX-License-Identifier: MIT

import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite("NBT commands")
struct NBTCommandsTests {
    /// Each frame of the fixture, built by this library.
    private static func built() throws -> [String: CommandAPDU] {
        var frames: [String: CommandAPDU] = [
            "select-application": try NBTCommands.select(application: NBTApplication.tag),
            "select-configurator": try NBTCommands.select(application: NBTApplication.configurator),
            "select-file1-read-password": try NBTCommands.select(
                file: .file1,
                readPassword: [0x11, 0x22, 0x33, 0x44]
            ),
            "select-file1-write-password": try NBTCommands.select(
                file: .file1,
                writePassword: [0x55, 0x66, 0x77, 0x88]
            ),
            "select-file1-both-passwords": try NBTCommands.select(
                file: .file1,
                readPassword: [0x11, 0x22, 0x33, 0x44],
                writePassword: [0x55, 0x66, 0x77, 0x88]
            ),
            "select-fap-master-read": try NBTCommands.select(
                file: .accessPolicy,
                readPassword: [0xA1, 0xA2, 0xA3, 0xA4]
            ),
            "select-fap-master-write": try NBTCommands.select(
                file: .accessPolicy,
                writePassword: [0xA1, 0xA2, 0xA3, 0xA4]
            ),
            "read-1": try NBTCommands.readBinary(offset: 0, length: 1),
            "read-256": try NBTCommands.readBinary(offset: 0, length: 256),
            "read-255": try NBTCommands.readBinary(offset: 0, length: 255),
            "read-offset-0203-255": try NBTCommands.readBinary(offset: 0x0203, length: 255),
            "read-offset-0203-16": try NBTCommands.readBinary(offset: 0x0203, length: 16),
            "read-fap-42": try NBTCommands.readBinary(offset: 0, length: 42),
            "update-led-on": try NBTCommands.updateBinary(offset: 0, data: [0x01]),
            "update-led-off": try NBTCommands.updateBinary(offset: 0, data: [0x00]),
            "update-cc-offset-15": try NBTCommands.updateBinary(
                offset: 15,
                data: [0x05, 0x06, 0xE1, 0xA1, 0x04, 0x00, 0x00, 0x00]
            ),
            "get-data-version": try NBTCommands.getVersion(),
            "get-data-memory": try NBTCommands.getMemory(),
            "set-config-gpio-3": try NBTCommands.setConfiguration(.gpioFunction, value: [0x03]),
            "set-config-gpio-4": try NBTCommands.setConfiguration(.gpioFunction, value: [0x04]),
            "set-config-interfaces-both": try NBTCommands.setConfiguration(.interfaces, value: [0x11]),
            "set-config-i2c-idle-timeout": try NBTCommands.setConfiguration(
                .i2cIdleTimeout,
                value: [0x00, 0x00, 0x03, 0xE8]
            ),
            "get-config-gpio": try NBTCommands.getConfiguration(.gpioFunction),
        ]
        let names: [(String, NBTFile)] = [
            ("cc", .capabilityContainer), ("ndef", .ndef), ("file1", .file1), ("file2", .file2),
            ("file3", .file3),
            ("file4", .file4), ("fap", .accessPolicy),
        ]
        for (name, file) in names {
            frames["select-file-\(name)"] = try NBTCommands.select(file: file)
            frames["select-file-\(name)-le"] = try NBTCommands.select(file: file, expectsAnswer: true)
        }
        let file1Open = FileAccessPolicy(
            file: .file1,
            i2cRead: .always,
            i2cWrite: .never,
            nfcRead: .always,
            nfcWrite: .always
        )
        frames["update-fap-file1"] = try NBTCommands.updatePolicy(file1Open)
        var withPassword = file1Open
        withPassword.nfcWrite = try .password(1)
        frames["update-fap-file1-password-1"] = try NBTCommands.updatePolicy(withPassword)
        return frames
    }

    @Test("are the frames of the vendor's libraries, byte for byte")
    func vendorFrames() throws {
        let built = try Self.built()
        let items = try #require(try Fixture.json("host-commands.json").array)
        #expect(items.count == built.count)
        for item in items {
            let id = try #require(item["id"]?.string)
            #expect(
                try #require(built[id], "no frame for \(id)").bytes.hex == item["command"]?.string,
                "\(id)"
            )
        }
    }

    @Test("refuse arguments that no short APDU can carry")
    func refusals() throws {
        #expect(throws: NBTError.self) { try NBTCommands.readBinary(offset: 0, length: 0) }
        #expect(throws: NBTError.self) { try NBTCommands.readBinary(offset: 0, length: 257) }
        #expect(throws: NBTError.self) { try NBTCommands.readBinary(offset: 65_536, length: 1) }
        #expect(throws: NBTError.self) { try NBTCommands.readBinary(offset: -1, length: 1) }
        #expect(throws: NBTError.self) { try NBTCommands.updateBinary(offset: 0, data: []) }
        #expect(throws: NBTError.self) {
            try NBTCommands.updateBinary(offset: 0, data: [UInt8](repeating: 0, count: 256))
        }
        #expect(throws: NBTError.argument("a password has 4 bytes, not 3")) {
            try NBTCommands.select(file: .file1, readPassword: [1, 2, 3])
        }
        #expect(throws: NBTError.self) { try NBTCommands.select(application: [1, 2, 3, 4]) }
        #expect(throws: NBTError.self) { try AccessCondition.password(0) }
        #expect(throws: NBTError.self) { try AccessCondition.password(32) }
    }

    @Test(
        "have names for the trace",
        arguments: [
            ("00A4040007D276000085010100", "SELECT application"),
            ("00A404000DD276000004150200000B00010100", "SELECT configurator"),
            ("00A4040005010203040500", "SELECT 0102030405"),
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

// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import NBTConstants
import SmartCard
import Testing
import Type4Tag

@testable import NBT

/// The conversations of the vendor's apps, held by this library word for word.
@Suite struct TranscriptTests {
    private static let conversations: [String: @Sendable (NBTCommandSet) throws -> Void] = [
        "read-device-state": { (commands) throws -> Void in
            try commands.selectApplication()
            try commands.select(.accessPolicy, expectsAnswer: true)
            let table = try NBTResponseParser.accessTable(try commands.read(length: 256))
            #expect(UseCase(table) == .delivery)
        },
        "personalize-adt": { try $0.install(UseCase.asynchronousDataTransfer.accessTable) },
        "personalize-pass-through": { try $0.install(UseCase.passThrough.accessTable) },
        "adt-write-on": { try DataTransferExample($0).request(.on) },
        "adt-write-off": { try DataTransferExample($0).request(.off) },
        "adt-read": { (commands) throws -> Void in
            #expect(try DataTransferExample(commands).state(from: .file1) == .off)
        },
        "adt-read-documented": { (commands) throws -> Void in
            #expect(try DataTransferExample(commands).state() == .off)
        },
        "pass-through-led": { (commands) throws -> Void in
            let example = PassThroughExample(commands)
            try example.select()
            try example.setLED(on: true)
            try example.setLED(on: false)
        },
        "reset-to-delivery": { try $0.resetToDelivery() },
        "personalize-brand-protection": { (commands) throws -> Void in
            try commands.personalize(
                eccKey: try Fixture.json("signatures.json").hex("sample_private_key")
            )
            let message = try BrandProtection.message(
                link: "http://optiga-nbt-cott-service.infineon.com",
                certificate: try Fixture.certificate("sample-device")
            )
            try commands.writeNDEF(message.bytes, order: .lengthFirst)
            try commands.install(UseCase.brandProtection.accessTable)
        },
    ]

    @Test func `Every conversation of the fixture is held`() throws {
        let items = try #require(try Fixture.json("app-transcripts.json").array)
        #expect(items.compactMap { $0["id"]?.string }.sorted() == Self.conversations.keys.sorted())
        for item in items {
            let id = try #require(item["id"]?.string)
            let peer = try ScriptedPeer(item["exchanges"])
            let hold = try #require(Self.conversations[id])
            do {
                try hold(NBTCommandSet(peer))
            } catch {
                Issue.record("\(id): \(error), after \(peer.heard.count) commands")
            }
            #expect(peer.isOver, "\(id)")
        }
    }

    private static let firmware: [String: @Sendable (NBTCommandSet) throws -> Void] = [
        "mtb-adt-start": { (commands) throws -> Void in
            try commands.selectApplication()
            #expect(UseCase(try commands.readAccessTable()) == .asynchronousDataTransfer)
            try commands.selectConfigurator()
            try commands.setConfiguration(Interfaces.both)
            try commands.setConfiguration(GPIOFunction.off)
            try commands.selectApplication()
        },
        "mtb-adt-led-off": { try follow($0, isLit: false) },
        "mtb-adt-led-on": { try follow($0, isLit: true) },
        "mtb-pt-start": { (commands) throws -> Void in
            try commands.selectApplication()
            #expect(UseCase(try commands.readAccessTable()) == .passThrough)
            try commands.selectConfigurator()
            try commands.setConfiguration(Interfaces.both)
            try commands.setConfiguration(GPIOFunction.passThroughInterrupt)
        },
        "mtb-pt-led-on": { try fetch($0, isLit: true) },
        "mtb-pt-led-off": { try fetch($0, isLit: false) },
    ]

    /// What the data transfer firmware does when its button was pressed.
    private static func follow(_ commands: NBTCommandSet, isLit: Bool) throws {
        try commands.selectApplication()
        try commands.select(.file1, expectsAnswer: true)
        let answer = try commands.read(length: 1)
        let byte = DataTransferExample.LEDByte(rawValue: try #require(answer.first))
        #expect(byte.isLitForFirmware == isLit)
        try commands.select(.file2, expectsAnswer: true)
        try commands.update(data: [byte.rawValue])
    }

    /// What the pass-through firmware fetches; its answers are not in the log.
    private static func fetch(_ commands: NBTCommandSet, isLit: Bool) throws {
        let first = try commands.fetchData()
        #expect(first.status.rawValue == 0x007F)
        let select = try NBTCommandBuilder.selectPassThroughExample(hasLe: false)
        #expect(first.command == select.bytes)
        let second = try commands.fetchData()
        #expect(second.status == [.fieldPresent, .layer4Active, .commandAvailable])
        let led = try NBTCommandBuilder.passThroughLED(on: isLit)
        #expect(second.command == led.bytes)
    }

    @Test func `Every conversation of the firmware with a real chip is held`() throws {
        let items = try #require(try Fixture.json("device-logs.json").array)
        #expect(items.compactMap { $0["id"]?.string }.sorted() == Self.firmware.keys.sorted())
        for item in items {
            let id = try #require(item["id"]?.string)
            let peer = try ScriptedPeer(item["exchanges"])
            let hold = try #require(Self.firmware[id])
            try hold(NBTCommandSet(peer))
            #expect(peer.isOver, "\(id)")
        }
    }

    @Test func `The container's tail mirrors the policy of the phone's side`() throws {
        let items = try #require(try Fixture.json("container-tails.json").array)
        let cases: [String: UseCase] = [
            "delivery": .delivery, "adt": .asynchronousDataTransfer, "all-closed": .passThrough,
        ]
        #expect(items.compactMap { $0["id"]?.string }.sorted() == cases.keys.sorted())
        for item in items {
            let id = try #require(item["id"]?.string)
            let useCase = try #require(cases[id])
            #expect(try ContainerTail.bytes(for: useCase.accessTable) == item.hex("data"))
        }
        var table = UseCase.passThrough.accessTable
        let index = try #require(table.policies.firstIndex { $0.file == .file1 })
        table.policies[index].nfcRead = try .password(3)
        // A file behind a password counts as open.
        #expect(ContainerTail.bytes(for: table)[6...7] == [0x00, 0xFF])
    }

    @Test func `Each use case is the table of the vendor`() throws {
        let items = try #require(try Fixture.json("access-tables.json").array)
        let ids = ["delivery", "adt", "pass-through", "brand-protection"]
        #expect(UseCase.allCases.map(\.rawValue) == ids)
        #expect(items.compactMap { $0["id"]?.string } == ids)
        for (useCase, item) in zip(UseCase.allCases, items) {
            #expect(try useCase.accessTable.bytes == item.hex("data"))
            #expect(UseCase(useCase.accessTable) == useCase)
        }
        #expect(UseCase(FileAccessTable([])) == nil)
    }

    @Test func `A container that cannot be written is closed again`() throws {
        let peer = ScriptedPeer([
            ("00A4000C02E1AF00", "9000"), ("00D6000006E10340004040", "9000"), ("00A4000C02E103", "9000"),
            ("*", "6985"), ("00A4000C02E1AF00", "9000"), ("00D6000006E10340004000", "9000"),
        ])
        let commands = NBTCommandSet(peer)
        #expect {
            try commands.updateContainer(for: UseCase.delivery.accessTable)
        } throws: { error in
            "\(error)"
                == "UPDATE BINARY was answered with 6985: offsets 02 to 0E of the capability container cannot be "
                + "written"
        }
        #expect(peer.isOver)
    }

    @Test func `A policy that closes its own file is written last`() throws {
        var table = UseCase.delivery.accessTable
        let index = try #require(table.policies.firstIndex { $0.file == .accessPolicy })
        table.policies[index].nfcWrite = try .password(1)
        let peer = ScriptedPeer([(String, String)](repeating: ("*", "9000"), count: 20))
        try NBTCommandSet(peer).install(table, masterPassword: [1, 2, 3, 4])
        #expect(peer.heard.last == "00D6000006E1AF40404081")
        #expect(peer.heard.first == "00A4000C08E1AF54040102030400")
        #expect(peer.heard.count == 20)
    }
}

extension Fixture {
    /// A certificate by its id.
    static func certificate(_ id: String) throws -> [UInt8] {
        let items = try #require(try json("certificates.json").array)
        return try #require(items.first { $0["id"]?.string == id }).hex("der")
    }
}

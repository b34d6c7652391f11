// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import NBTEmulator
import SmartCard
import Testing
import Type4Tag

@testable import NBT

/// The library against the emulated chip, which shares no coding with it.
@Suite struct EmulatedChipTests {
    private let clock = ModelClock()
    private let challenge: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private let value: [UInt8] = [0xC0, 0xDE, 0xFA, 0x11]
    private let wrongValue: [UInt8] = [0, 0, 0, 1]

    private func chip(_ options: [String: String] = [:]) throws -> NBTChip {
        try NBTChip(options: options, seed: 7, clock: clock)
    }

    private func phone(_ chip: NBTChip) throws -> NBTCommandSet {
        let commands = NBTCommandSet(FaceConnection(chip.nfc))
        try commands.selectApplication()
        return commands
    }

    @Test(arguments: ["tagged", "bare", "none"])
    func `A password opens its file, blocks after its tries, and comes back`(form: String) throws {
        guard
            NBTChip.options.contains(where: {
                $0.name == "password-response" && $0.complaint(about: form) == nil
            })
        else { return }
        let commands = try phone(try chip(["password-response": form]))
        let isTold = form != "none"
        try commands.createPassword(
            try NBTPassword(id: 5, value: value, response: [0x12, 0x34], tries: 2)
        )
        try commands.write(try FileAccessPolicy(file: .file1, rights: [0x40, 0x40, 0x85, 0x85]))
        #expect(throws: NBTError.self) { try commands.read(.file1, length: 1) }
        let selection = try commands.select(.file1, readPassword: value, writePassword: wrongValue)
        #expect(selection.readPassword == (isTold ? .accepted(response: [0x12, 0x34]) : .unknown))
        #expect(selection.writePassword == (isTold ? .wrong : .unknown))
        #expect(try commands.read(length: 1) == [0x00])
        try commands.update(.file1, data: [0x01], password: value)
        for _ in 0..<2 { try commands.select(.file1, writePassword: wrongValue) }
        #expect(
            try commands.select(.file1, writePassword: value).writePassword == (isTold ? .blocked : .unknown)
        )
        #expect(throws: NBTError.self) { try commands.update(data: [0x02]) }
        try commands.unblockPassword(5)
        try commands.changePassword(5, to: wrongValue)
        try commands.update(.file1, data: [0x02], password: wrongValue)
        try commands.deletePassword(5)
        #expect(throws: NBTError.self) { try commands.deletePassword(5) }
    }

    @Test func `A master password rules policies and passwords`() throws {
        let commands = try phone(try chip())
        try commands.createPassword(
            try NBTPassword(id: 1, value: value, response: [0x43, 0x21], tries: 3)
        )
        try commands.write(try FileAccessPolicy(file: .accessPolicy, rights: [0x40, 0x40, 0x81, 0x81]))
        let second = try NBTPassword(id: 2, value: [1, 1, 1, 1], response: [0x43, 0x21], tries: 3)
        #expect(throws: NBTError.self) { try commands.createPassword(second) }
        try commands.createPassword(second, masterPassword: value)
        #expect(throws: NBTError.self) { try commands.readAccessTable() }
        let adt = UseCase.asynchronousDataTransfer.accessTable
        var wanted = adt
        let own = try #require(wanted.policies.firstIndex { $0.file == .accessPolicy })
        wanted.policies[own] = try FileAccessPolicy(file: .accessPolicy, rights: [0x40, 0x40, 0x81, 0x81])
        try commands.install(wanted, masterPassword: value)
        #expect(try commands.readAccessTable(masterPassword: value) == wanted)
        #expect(throws: NBTError.self) { try commands.deletePassword(2) }
        try commands.deletePassword(2, masterPassword: value)
    }

    @Test(arguments: UseCase.allCases)
    func `Each use case is installed, and the container says the same`(useCase: UseCase) throws {
        let chip = try chip()
        let commands = try phone(chip)
        try commands.install(useCase.accessTable)
        #expect(UseCase(try commands.readAccessTable()) == useCase)
        let container = try #require(chip.contents(of: .capabilityContainer))
        #expect(Array(container[15..<47]) == ContainerTail.bytes(for: useCase.accessTable))
    }

    @Test func `A use case is installed over I2C too`() throws {
        let chip = try chip()
        chip.i2c.powerOn()
        let commands = NBTCommandSet(FaceConnection(chip.i2c), isI2C: true)
        try commands.selectApplication()
        for useCase in [UseCase.brandProtection, .asynchronousDataTransfer, .delivery] {
            try commands.install(useCase.accessTable)
            #expect(UseCase(try commands.readAccessTable()) == useCase)
            let container = try #require(chip.contents(of: .capabilityContainer))
            #expect(Array(container[15..<47]) == ContainerTail.bytes(for: useCase.accessTable))
        }
    }

    @Test func `A chip goes back to its delivery from under a master password`() throws {
        let commands = try phone(try chip())
        try commands.createPassword(
            try NBTPassword(id: 31, value: value, response: [0x43, 0x21], tries: 3)
        )
        try commands.writeNDEF([0xD0, 0x00, 0x00])
        try commands.write(try FileAccessPolicy(file: .accessPolicy, rights: [0x40, 0x40, 0x9F, 0x9F]))
        try commands.resetToDelivery(masterPassword: value)
        #expect(UseCase(try commands.readAccessTable()) == .delivery)
        #expect(try commands.readNDEF().isEmpty)
    }

    @Test func `A chip goes back to its delivery`() throws {
        let commands = try phone(try chip(["state": "adt"]))
        #expect(UseCase(try commands.readAccessTable()) == .asynchronousDataTransfer)
        try commands.resetToDelivery()
        #expect(UseCase(try commands.readAccessTable()) == .delivery)
        #expect(try commands.readNDEF().isEmpty)
    }

    @Test func `The chip proves itself with its certificate, and another issuer does not do`() throws {
        let commands = try phone(try chip(["state": "brand-protection"]))
        let issuer = try BrandIssuer(try NBTChip.developmentAuthority())
        let proof = try commands.proveGenuine(challenge: challenge, issuers: [issuer])
        #expect(proof.issuer == issuer)
        #expect(proof.certificate.uid?.first == 0x05)
        #expect {
            try commands.proveGenuine(challenge: challenge)
        } throws: { error in
            guard case .brand(.untrustedCertificate)? = error as? NBTError else { return false }
            return true
        }
    }

    @Test func `A personalized key signs, and personalization ends`() throws {
        let commands = try phone(try chip(["ecc-key": "none"]))
        #expect(throws: NBTError.self) { try commands.authenticateTag(challenge: challenge) }
        let fixture = try Fixture.json("signatures.json")
        try commands.personalize(eccKey: try fixture.hex("sample_private_key"))
        let signature = try commands.authenticateTag(challenge: challenge)
        let certificate = try BrandCertificate(try Fixture.certificate("sample-device"))
        try BrandProtection.check(signature: signature, challenge: challenge, key: certificate.key)
        try commands.personalize(file: .file2, content: [1, 2, 3])
        #expect(try commands.read(.file2, length: 3) == [1, 2, 3])
        try commands.finalizePersonalization()
        #expect {
            try commands.personalize(file: .file2, content: [4])
        } throws: {
            "\($0)".contains("6985: personalization is over")
        }
        try commands.selectConfigurator()
        #expect(try commands.configuration(LifeCycle.self) == .operational)
    }

    @Test func `Each selection shows a fresh token, which the server takes once`() throws {
        let chip = try chip()
        let commands = try phone(chip)
        let link = try BrandProtection.message(
            link: "https://example.com",
            certificate: try Fixture.certificate("sample-device")
        )
        try commands.write(link)
        var verifier = COTTVerifier(keys: [chip.uid: COTTLayout.developmentKey])
        let first = try commands.readMessage().flatMap(COTTToken.text(in:))
        let second = try commands.readMessage().flatMap(COTTToken.text(in:))
        #expect(first != second)
        #expect(verifier.judge(first) == .accepted)
        #expect(verifier.judge(second) == .accepted)
        #expect(verifier.judge(first) == .used)
        try commands.personalize(cottKey: [UInt8](repeating: 0x11, count: 16))
        #expect(verifier.judge(try commands.readMessage().flatMap(COTTToken.text(in:))) == .wrongCode)
    }

    @Test func `Settings are read, written, and read again`() throws {
        let commands = try phone(try chip())
        try commands.selectConfigurator()
        #expect(try commands.configuration(Interfaces.self) == .both)
        try commands.setConfiguration(GPIOFunction.passThroughInterrupt)
        #expect(try commands.configuration(GPIOFunction.self) == .passThroughInterrupt)
        for entry in ConfigurationCatalog.all {
            guard let size = entry.size, size <= 252 else { continue }
            #expect(try commands.configuration(entry.tag).count == size, "\(entry.word)")
        }
        #expect {
            try commands.setConfiguration(.gpioPull, value: [0x09])
        } throws: {
            "\($0)".contains("the tag or the value is wrong")
        }
    }

    @Test(arguments: [254, 16, 8] as [UInt16])
    func `The host reaches the chip over blocks on I2C, in any size`(size: UInt16) throws {
        let chip = try chip()
        let bus = BlockBus(
            NBTBlockFace(
                chip,
                clock: clock,
                parameters: BlockParameters(largestFromHost: size, largestToHost: size)
            )
        )
        chip.i2c.powerOn()
        let connection = try T1PrimeConnection(bus: bus, clock: clock)
        #expect(connection.parameters.informationSize == Int(size))
        let commands = NBTCommandSet(connection)
        try commands.selectApplication()
        let data = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        try commands.update(.file3, data: data)
        #expect(try commands.read(.file3, length: 600) == data)
        #expect(try commands.backendTest(.random) == .random)
        try connection.reset(.warm)
        try commands.selectApplication()
        try connection.reset(.cold)
        try commands.selectApplication()
        #expect(UseCase(try commands.readAccessTable()) == .delivery)
        try commands.selectConfigurator()
        try commands.setConfiguration(GPIOFunction.passThroughInterrupt)
        try connection.reset(.cold)
        let request = try commands.fetchData()
        #expect(request.command == nil)
        #expect(throws: NBTError.self) { try commands.putResponse(ResponseAPDU(sw: .success)) }
    }

    /// A chip that takes 4 s for a command and tells a block waiting time of 1 s.
    private func slowHost(requests: Int, deadline: Duration) throws -> T1PrimeConnection {
        let chip = try NBTChip(options: ["command-time": "4s", "i2c-wtx": "\(requests)"], clock: clock)
        chip.i2c.powerOn()
        return try T1PrimeConnection(
            bus: BlockBus(NBTBlockFace(chip, clock: clock)),
            clock: clock,
            deadline: deadline
        )
    }

    private static let select: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]

    @Test(arguments: [4, 10, 255])
    func `The host grants a slow chip the time that it asks for`(requests: Int) throws {
        let host = try slowHost(requests: requests, deadline: .seconds(10))
        for _ in 0..<2 {
            let begin = clock.now
            #expect(try host.transmit(Self.select) == [0x90, 0x00])
            #expect((.seconds(4)...(.seconds(5))).contains(clock.now - begin))
        }
    }

    @Test(arguments: [(0, 10, 1), (1, 10, 3), (10, 2, 2)])
    func `A chip that asks for nothing, too seldom or for too long is not waited for`(
        requests: Int,
        deadline: Int,
        seconds: Int
    ) throws {
        let host = try slowHost(requests: requests, deadline: .seconds(deadline))
        let begin = clock.now
        #expect {
            try host.transmit(Self.select)
        } throws: {
            ($0 as? TransportFault)?.kind == .timeout
        }
        #expect(clock.now - begin <= .seconds(seconds))
    }

    @Test func `A setting longer than a short answer is read where the chip sends it`() throws {
        for (option, size) in [("6700", nil), ("whole", 312)] as [(String, Int?)] {
            let chip = try NBTChip(options: ["long-setting": option], clock: clock)
            chip.i2c.powerOn()
            let onBus = try T1PrimeConnection(bus: BlockBus(NBTBlockFace(chip, clock: clock)), clock: clock)
            let host = NBTCommandSet(onBus)
            try host.selectConfigurator()
            #expect((try? host.configuration(.rfHardware).count) == size)
            let phone = try phone(chip)
            try phone.selectConfigurator()
            #expect((try? phone.configuration(.rfHardware).count) == size)
        }
    }
}

/// The bus of one emulated chip.
private final class BlockBus: I2CBus {
    private let face: NBTBlockFace

    init(_ face: NBTBlockFace) {
        self.face = face
    }

    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool { face.write(bytes) }
    func read(_ count: Int) throws(TransportFault) -> [UInt8]? { face.read(count) }
}

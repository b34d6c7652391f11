// SPDX-License-Identifier: MIT

import CardConnection
import NBT
import NBTEmulator

/// The host's side of an emulated chip's I2C bus, by blocks of T=1'.
///
/// The link is begun with the first command: a chip that a field silences is a fault of that command.
final class BlockConnection: Connection {
    private(set) var facts = ConnectionFacts(
        readerName: "emulator nbt i2c",
        atr: [],
        protocolName: "T=1'"
    )
    var exchangeDeadline: Duration {
        didSet { link?.exchangeDeadline = exchangeDeadline }
    }

    private let chip: NBTChip
    private let clock: any RigClock
    private let bus: Bus
    private var link: T1PrimeConnection?

    init(_ chip: NBTChip, clock: any RigClock, deadline: Duration) {
        self.chip = chip
        self.clock = clock
        exchangeDeadline = deadline
        chip.i2c.powerOn()
        bus = Bus(NBTBlockFace(chip, clock: clock))
    }

    deinit {
        close()
    }

    private func opened() throws(TransportFault) -> T1PrimeConnection {
        if let link { return link }
        let made = try T1PrimeConnection(bus: bus, clock: clock, deadline: exchangeDeadline)
        link = made
        return made
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        try opened().transmit(command)
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {
        try opened().reset(kind)
    }

    func setField(_ state: FieldState) throws(TransportFault) {
        throw TransportFault(.permission, "there is no field on I2C", hint: "use the reader's connection")
    }

    func reconnect() throws(TransportFault) {
        chip.i2c.powerOff()
        chip.i2c.powerOn()
        link = nil
        _ = try opened()
    }

    func close() {
        link = nil
        chip.i2c.powerOff()
    }

    /// The bus of one emulated chip.
    private final class Bus: I2CBus {
        private let face: NBTBlockFace

        init(_ face: NBTBlockFace) {
            self.face = face
        }

        func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool { face.write(bytes) }
        func read(_ count: Int) throws(TransportFault) -> [UInt8]? { face.read(count) }
    }
}

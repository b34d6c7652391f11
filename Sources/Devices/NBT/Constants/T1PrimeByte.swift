// SPDX-License-Identifier: MIT

/// Bytes of the block protocol that the chip speaks over I2C.
///
/// Source: GlobalPlatform APDU Transport over SPI/I2C 1.0 (GPC_SPE_172) §8, as the vendor's public C library uses it.
public enum T1PrimeByte {
    /// The chip's 7-bit address on the bus.
    public static let busAddress: UInt8 = 0x18
    /// Node address of blocks from the host to the chip.
    public static let hostToChip: UInt8 = 0x21
    /// Node address of blocks from the chip to the host.
    public static let chipToHost: UInt8 = 0x12

    /// Bit of an I-block: its sequence number is 1.
    public static let sendNumber: UInt8 = 0x40
    /// Bit of an I-block: another one follows.
    public static let more: UInt8 = 0x20
    /// An R-block; bits are added.
    public static let receiveReady: UInt8 = 0x80
    /// Bit of an R-block: the expected sequence number is 1.
    public static let receiveNumber: UInt8 = 0x10
    /// Code of an R-block: the checksum was wrong.
    public static let checksumError: UInt8 = 0x01
    /// Code of an R-block: something else was wrong.
    public static let otherError: UInt8 = 0x02
    /// An S-block; the request is added.
    public static let supervisory: UInt8 = 0xC0
    /// Bit of an S-block: it answers a request.
    public static let supervisoryResponse: UInt8 = 0x20

    /// S-block: begin counting anew.
    public static let resynchronize: UInt8 = 0x00
    /// S-block: change of the largest information field.
    public static let informationSize: UInt8 = 0x01
    /// S-block: end of a chain.
    public static let abort: UInt8 = 0x02
    /// S-block: more time.
    public static let waitingTime: UInt8 = 0x03
    /// S-block: the communication interface parameters.
    public static let interfaceParameters: UInt8 = 0x04
    /// S-block: release of the interface.
    public static let release: UInt8 = 0x06
    /// S-block: software reset.
    public static let softwareReset: UInt8 = 0x0F
    /// S-block of the vendor: power-on reset, which has no answer.
    public static let powerOnReset: UInt8 = 0x18

    /// The largest information field before the chip tells its own.
    public static let defaultInformationSize = 8
    /// Waiting time for a block before the chip tells its own, in milliseconds.
    public static let defaultBlockWaitingTime = 300
    /// Wake-up time of the power before the chip tells its own, in milliseconds.
    public static let defaultPowerWakeUpTime = 25
    /// Pause between two polls before the chip tells its own, in units of 100 microseconds.
    public static let defaultPollingPause = 10
}

// SPDX-License-Identifier: MIT

/// The commands of the probe by their first byte.
///
/// Source: CMSIS-DAP version 2, reference manual, command tables.
enum ProbeCommand: UInt8 {
    case info = 0x00
    case hostStatus = 0x01
    case connect = 0x02
    case disconnect = 0x03
    case transferConfigure = 0x04
    case transfer = 0x05
    case transferBlock = 0x06
    case transferAbort = 0x07
    case writeAbort = 0x08
    case delay = 0x09
    case resetTarget = 0x0A
    case pins = 0x10
    case clock = 0x11
    case sequence = 0x12
    case configure = 0x13
    case serialWireSequence = 0x1D
    case queueCommands = 0x7E
    case executeCommands = 0x7F

    /// Status byte of a command that was carried out.
    static let done: UInt8 = 0x00
    /// Status byte of a command that failed, and the answer to one that is not known.
    static let refused: UInt8 = 0xFF
}

/// What DAP_Info may ask for.
enum ProbeInfo: UInt8 {
    case vendor = 0x01
    case product = 0x02
    case serial = 0x03
    case protocolVersion = 0x04
    case firmware = 0x09
    case capabilities = 0xF0
    case packetCount = 0xFE
    case packetSize = 0xFF
}

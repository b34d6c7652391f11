// SPDX-License-Identifier: MIT

/// A program that runs on the emulated board.
///
/// It is a third party beside chip and host: its command bytes are written for it alone.
protocol BoardFirmware: Sendable {
    /// The board has power, or was reset; the pins are set up.
    mutating func start(on hardware: inout BoardHardware)

    /// The user button was let go.
    mutating func buttonReleased(on hardware: inout BoardHardware)

    /// The chip has raised its interrupt: a command of the phone waits.
    mutating func chipInterrupted(on hardware: inout BoardHardware)
}

extension BoardFirmware {
    /// Most examples have the chip's interrupt switched off.
    mutating func chipInterrupted(on hardware: inout BoardHardware) {}
}

/// A board whose firmware does nothing after its pins are set up.
struct IdleFirmware: BoardFirmware {
    mutating func start(on hardware: inout BoardHardware) {}

    mutating func buttonReleased(on hardware: inout BoardHardware) {}
}

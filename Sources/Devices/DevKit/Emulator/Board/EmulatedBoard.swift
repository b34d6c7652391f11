// SPDX-License-Identifier: MIT

/// A pin of the micro-controller.
struct BoardPin: Hashable, Sendable {
    /// Port, 0 to 14.
    let port: Int
    /// Pin of the port, 0 to 7.
    let pin: Int

    /// The pin's bit in the registers of its port.
    var mask: UInt32 { 1 << UInt32(pin) }
}

/// A host board of the kit: which pin carries what.
///
/// The emulator has its own table, so that a wrong pin in the host library is found.
/// Source: the vendor's board support packages of both boards.
struct EmulatedBoard: Hashable, Sendable {
    /// The board's part number.
    let name: String
    /// The user LED, which lights when the pin is low.
    let led: BoardPin
    /// The user button, which pulls the pin low.
    let button: BoardPin

    /// The kit's host board: LED4 and SW2.
    static let prototyping = EmulatedBoard(
        name: "CY8CPROTO-062S2-43439",
        led: BoardPin(port: 13, pin: 7),
        button: BoardPin(port: 0, pin: 4)
    )

    /// Another board with the same chip: LED8 and SW2.
    static let pioneer = EmulatedBoard(
        name: "CY8CKIT-062S2-43012",
        led: BoardPin(port: 1, pin: 5),
        button: BoardPin(port: 0, pin: 4)
    )

    /// Both boards.
    static let all = [prototyping, pioneer]
}

// SPDX-License-Identifier: MIT

/// A LED on a board: its pin, and the level that lights it.
public struct BoardLED: Hashable, Sendable {
    /// The pin.
    public var pin: GPIOPin
    /// True when the low level lights it.
    public var isLitLow: Bool

    /// Makes a LED.
    public init(pin: GPIOPin, isLitLow: Bool = true) {
        self.pin = pin
        self.isLitLow = isLitLow
    }

    /// The state that a word of OUT commands.
    public func state(output word: UInt32) -> LEDState {
        (word & pin.mask == 0) == isLitLow ? .lit : .dark
    }
}

/// What is where on a kit's board.
public struct BoardProfile: Hashable, Sendable {
    /// The board's name, as its maker writes it.
    public var name: String
    /// The LED that the firmware of the kit drives.
    public var led: BoardLED
    /// Further LEDs by name.
    public var otherLEDs: [String: BoardLED]
    /// The user button.
    public var button: GPIOPin
    /// Speed of the debug UART in bits a second.
    public var uartSpeed: Int
    /// The identification that the chip's debug port should give; another one is worth a warning.
    public var debugPortIdentity: UInt32?

    /// Makes a profile.
    public init(
        name: String,
        led: BoardLED,
        otherLEDs: [String: BoardLED] = [:],
        button: GPIOPin,
        uartSpeed: Int = 115_200,
        debugPortIdentity: UInt32? = BoardProfile.psoc62Identity
    ) {
        self.name = name
        self.led = led
        self.otherLEDs = otherLEDs
        self.button = button
        self.uartSpeed = uartSpeed
        self.debugPortIdentity = debugPortIdentity
    }

    /// DPIDR of a PSoC 62 with 2 MB of flash.
    public static let psoc62Identity: UInt32 = 0x6BA0_2477

    /// The host board that comes with the kit: LED4 at P13.7, lit low; button at P0.4.
    ///
    /// Source: board support package CY8CPROTO-062S2-43439.
    public static let prototypingBoard = BoardProfile(
        name: "CY8CPROTO-062S2-43439",
        led: BoardLED(pin: GPIOPin(13, 7)),
        button: GPIOPin(0, 4)
    )

    /// Another board with the same chip: LED8 at P1.5, lit low; buttons at P0.4 and P1.4.
    ///
    /// Source: board support package CY8CKIT-062S2-43012.
    public static let pioneerBoard = BoardProfile(
        name: "CY8CKIT-062S2-43012",
        led: BoardLED(pin: GPIOPin(1, 5)),
        otherLEDs: [
            "led9": BoardLED(pin: GPIOPin(11, 1)), "red": BoardLED(pin: GPIOPin(1, 1)),
            "green": BoardLED(pin: GPIOPin(0, 5)), "blue": BoardLED(pin: GPIOPin(7, 3)),
        ],
        button: GPIOPin(0, 4)
    )

    /// The boards that are known.
    public static let known = [prototypingBoard, pioneerBoard]

    /// What the kit's own board may be called besides its name.
    private static let kitAlias = "nbt-kit"

    /// The board of a name, in any case, or `nbt-kit`; nil when it is not known.
    public static func named(_ name: String) -> BoardProfile? {
        if name.lowercased() == kitAlias { return prototypingBoard }
        return known.first { $0.name.lowercased() == name.lowercased() }
    }

    /// A LED by name: `user` for the kit's own, else a further one; nil when there is none of that name.
    public func led(named name: String) -> BoardLED? {
        name == "user" ? led : otherLEDs[name]
    }

    /// The names that ``led(named:)`` knows.
    public var ledNames: [String] { ["user"] + otherLEDs.keys.sorted() }
}

extension GPIOPin {
    /// A pin of a board that is known to exist.
    fileprivate init(_ port: Int, _ number: Int) {
        guard let pin = GPIOPin(port: port, number: number) else {
            preconditionFailure("P\(port).\(number) is no pin of the chip")
        }
        self = pin
    }
}

// SPDX-License-Identifier: MIT

/// What the chip tells of its I2C interface, and how it keeps to it.
///
/// A real device was seen to ask for 1000 kHz and 100 us; what else it tells is not published.
public struct BlockParameters: Hashable, Sendable {
    /// Identification of the issuer, 3 or 4 bytes.
    public var issuer: [UInt8]
    /// Power wake-up time in milliseconds.
    public var wakeUpMilliseconds: UInt8
    /// Maximum clock frequency in kHz.
    public var clockKilohertz: UInt16
    /// Multiple of 100 us between two polls of the host.
    public var pollUnits: UInt8
    /// Least time between a read and a write, in microseconds.
    public var guardMicroseconds: UInt16
    /// Block waiting time in milliseconds.
    public var waitMilliseconds: UInt16
    /// Longest information field that the chip takes.
    public var largestFromHost: UInt16
    /// Longest information field that the chip sends until S(IFS) says otherwise.
    public var largestToHost: UInt16
    /// Historical bytes.
    public var historical: [UInt8]

    /// Makes parameters; the defaults are plausible ones.
    public init(
        issuer: [UInt8] = [0x11, 0x22, 0x33],
        wakeUpMilliseconds: UInt8 = 25,
        clockKilohertz: UInt16 = 1000,
        pollUnits: UInt8 = 10,
        guardMicroseconds: UInt16 = 100,
        waitMilliseconds: UInt16 = 1000,
        largestFromHost: UInt16 = 254,
        largestToHost: UInt16 = 254,
        historical: [UInt8] = []
    ) {
        self.issuer = issuer
        self.wakeUpMilliseconds = wakeUpMilliseconds
        self.clockKilohertz = clockKilohertz
        self.pollUnits = pollUnits
        self.guardMicroseconds = guardMicroseconds
        self.waitMilliseconds = waitMilliseconds
        self.largestFromHost = largestFromHost
        self.largestToHost = largestToHost
        self.historical = historical
    }

    /// The communication interface parameters, as S(CIP response) carries them.
    ///
    /// Source: GlobalPlatform T=1' over SPI/I2C 1.0 §4, with the physical layer 02, which is I2C.
    var encoded: [UInt8] {
        let physical: [UInt8] =
            [0x00, wakeUpMilliseconds] + Self.two(clockKilohertz) + [0x00, pollUnits]
            + Self.two(guardMicroseconds)
        let dataLink = Self.two(waitMilliseconds) + Self.two(largestFromHost)
        return [0x01, ChipState.low(issuer.count)] + issuer
            + [0x02, ChipState.low(physical.count)] + physical
            + [ChipState.low(dataLink.count)] + dataLink
            + [ChipState.low(historical.count)] + historical
    }

    private static func two(_ value: UInt16) -> [UInt8] {
        [ChipState.high(Int(value)), ChipState.low(Int(value))]
    }
}

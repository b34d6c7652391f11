// SPDX-License-Identifier: MIT

/// The first line of a trace file: where the exchanges come from.
public struct TraceHeader: Hashable, Sendable {
    /// Version of the file format that this module writes.
    public static let formatVersion = 1

    /// Version of the file format.
    public var version = TraceHeader.formatVersion
    /// Version of the rig.
    public var rig: String?
    /// Dotted name of the suite.
    public var suite: String?
    /// Name of the case.
    public var caseName: String?
    /// The device's word: `nbt`, `tangem`, `wallet`, `iso7816`.
    public var target: String?
    /// The way to the card: `emulator`, `virtual`, `pcsc:...`.
    public var via: String?
    /// Reader name.
    public var reader: String?
    /// ATR in upper-case hex.
    public var atr: String?
    /// Protocol: `T=0`, `T=1`, `T=CL`.
    public var protocolName: String?
    /// Firmware version asked for or read.
    public var firmware: String?
    /// The seed of all random streams.
    public var seed: UInt64?
    /// SHA-256 of the scenario file, lower-case hex.
    public var scenarioSHA256: String?
    /// Start of the trace, UTC, ISO 8601 with `Z`.
    public var started: String?
    /// What the reader adds to each exchange, when its bench tells; the times of the records contain it.
    public var overhead: Duration?
    /// How far two times on this reader may lie apart and still be the same, as its bench has it: `10%`, `200us`.
    public var timingBand: String?
    /// True when secrets were not masked.
    public var showsSecrets = false

    /// Makes a header that says nothing but the version.
    public init() {}

    /// Makes the header of a case's trace.
    ///
    /// - Parameters:
    ///   - rig: Version of the rig.
    ///   - suite: Dotted name of the suite.
    ///   - caseName: Name of the case.
    ///   - target: The device's word.
    ///   - via: The way to the card.
    ///   - started: UTC, ISO 8601 with `Z`.
    public init(rig: String, suite: String, caseName: String, target: String, via: String, started: String) {
        self.rig = rig
        self.suite = suite
        self.caseName = caseName
        self.target = target
        self.via = via
        self.started = started
    }
}

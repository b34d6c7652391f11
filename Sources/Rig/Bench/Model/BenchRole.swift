// SPDX-License-Identifier: MIT

public import Scenario

/// A role on a bench: a device under test in a reader.
///
/// The name is a scenario's target (`nbt`), or the word of a step's `on`.
public struct BenchRole: Hashable, Sendable {
    /// The role's name.
    public var name: String
    /// Which reader plays it.
    public var reader: ReaderIdentity
    /// Where the role stands in the file.
    public var position: SourcePosition
    /// Where each key of the role stands in the file.
    public var keyPositions: [String: SourcePosition] = [:]
    /// The protocol that reader and card are to agree on, for example `T=1`; nil takes any.
    public var protocolName: String?
    /// How the field is switched; nil leaves it to the reader to tell.
    public var field: FieldClaim?
    /// Whether the reader lets a card ask for more time; nil is not known.
    public var hasTimeExtension: Bool?
    /// How the firmware is found out; nil believes the command line.
    public var firmware: FirmwareCheck?
    /// How a sample is told from its like; nil asks a contactless reader for the UID.
    public var sample: SampleSource?
    /// What the reader adds to measured times.
    public var timing: TimingCalibration?
    /// Times that hold where a scenario gives none.
    public var limits = Limits()
    /// Programs of this role; they go before those of the bench.
    public var programs: [ControlProgram] = []
    /// The probe that is wired to the device; nil when none is.
    public var probe: String?

    /// Makes a role of which nothing but the reader is known.
    public init(name: String, reader: ReaderIdentity, position: SourcePosition) {
        self.name = name
        self.reader = reader
        self.position = position
    }

    /// Where a key of the role stands, or the role itself.
    func position(of key: String) -> SourcePosition { keyPositions[key] ?? position }
}

/// What tells a reader from its like.
public enum ReaderIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Its serial number.
    case serial(String)
    /// Its name, a part of it, or a pattern with `*` and `?`.
    case pattern(String)
    /// The USB port that it is plugged into, for example `1-1.3`.
    case usb(String)
    /// The card that lies in it, by the answer to reset.
    case atr(String)

    /// The words of a reader selector behind `pcsc:`.
    public var selector: String {
        switch self {
        case .serial(let serial): "serial=\(serial)"
        case .pattern(let pattern): pattern
        case .usb(let path): "usb=\(path)"
        case .atr(let pattern): "atr=\(pattern)"
        }
    }

    /// As the bench file has it: `serial: RR554-0231`.
    public var description: String {
        switch self {
        case .serial(let serial): "serial: \(serial)"
        case .pattern(let pattern): "pattern: \(pattern)"
        case .usb(let path): "usb: \(path)"
        case .atr(let pattern): "atr: \(pattern)"
        }
    }

    /// True for what stays the same when other readers come and go, so that it can name a lock before the reader is
    /// looked for.
    public var isStable: Bool {
        switch self {
        case .serial, .usb: true
        case .pattern, .atr: false
        }
    }
}

/// How a reader's field is switched, as the bench claims.
public enum FieldClaim: String, Hashable, Sendable, CaseIterable {
    /// The reader switches it.
    case control
    /// Only the end of the connection takes the card's power.
    case unpower
    /// Not at all.
    case none
}

/// What a reader adds to measured times.
public struct TimingCalibration: Hashable, Sendable {
    /// How far two measurements of the same thing may lie apart.
    public enum Band: Hashable, Sendable {
        /// By a time.
        case absolute(Duration)
        /// By a share of the longer one, in percent.
        case percent(Int)

        /// As a bench file has it: `10%`, `200us`.
        public var text: String {
            switch self {
            case .absolute(let time): DurationText.text(time)
            case .percent(let share): "\(share)%"
            }
        }
    }

    /// Time that an exchange costs on this reader besides the card's own.
    public var overhead: Duration
    /// How far two measurements may lie apart; nil leaves it to the one who compares.
    public var band: Band?

    /// Makes a calibration.
    public init(overhead: Duration, band: Band? = nil) {
        self.overhead = overhead
        self.band = band
    }
}

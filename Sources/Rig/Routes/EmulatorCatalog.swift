// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit
import DevKitEmulator
import HostSystem
import NBTEmulator
public import Scenario
import SmartCard
import TangemEmulator
import Verbs

/// The emulators of this program, by target.
public enum EmulatorCatalog {
    /// An emulator made for one case.
    public struct Device: Sendable {
        /// The face that a reader sees.
        public let card: any Card
        /// The kit that carries it; nil when there is none.
        public let kit: (any Kit)?
        /// What the device adds to the reader's capabilities.
        public let capabilities: Set<Capability>
        /// Protocol by which the device answers; nil follows the ATR.
        public let protocolName: String?
        /// Whether it takes command chaining.
        public let acceptsChaining: Bool
        /// Firmware version or profile; nil when it has none.
        public let firmware: String?
        /// Name of the sample: UID or file.
        public let sample: String
        /// Told of the command that is about to lose its power in the middle; nil when the device carries all out.
        public let onCut: (@Sendable ([UInt8]) -> Void)?
        /// Other faces of the device, by the role that scenarios name: the I2C side of an NBT, or the other cards of a
        /// wallet's set.
        public var roles: [String: any Card] = [:]
        /// Those of the roles that are cards of their own, which a reader of their own can hold, in order.
        public var otherCards: [String] = []
        /// Connections to roles that are reached otherwise than by bare commands; each takes its exchange deadline.
        public var links: [String: @Sendable (Duration) -> any Connection] = [:]
        /// What it remembers without power; nil when nothing of it can be kept.
        public var memory: CardMemoryText?
        /// Why the face of a role does not answer, nil standing for the one that a reader sees; nil when it does.
        var muteReason: @Sendable (_ role: String?) -> String? = { _ in nil }
        /// What a contactless reader learns before the first command, in one line; nil when nobody says.
        public var anticollision: String?
    }

    /// The targets that can be emulated.
    public static let targets = ["nbt", "tangem", "iso7816"]

    /// The options of a target's emulator, its kit's included.
    public static func options(of target: String) -> [EmulatorOption] {
        switch target {
        case "nbt": NBTChip.options + EmulatedKit.options
        case "tangem": TangemCard.options
        case "iso7816": [EmulatorOption("card", .file, default: "", "JSON file of the scripted card")]
        default: []
        }
    }

    /// Makes a fresh device.
    ///
    /// - Parameters:
    ///   - target: The device's word.
    ///   - firmware: Version or profile; nil takes the default.
    ///   - options: Settings by name.
    ///   - seed: Source of everything random in it.
    ///   - clock: The time that it lives in.
    /// - Returns: The device, without power.
    /// - Throws: ``EmulatorOptionError`` when a setting is wrong or the target has no emulator.
    public static func make(
        target: String,
        firmware: String?,
        options: [String: String],
        seed: UInt64,
        clock: any RigClock
    ) throws(EmulatorOptionError) -> Device {
        switch target {
        case "nbt": try makeNBT(firmware: firmware, options: options, seed: seed, clock: clock)
        case "tangem": try makeTangem(firmware: firmware, options: options, seed: seed, clock: clock)
        case "iso7816": try makeScripted(options: options)
        default:
            throw EmulatorOptionError(
                "there is no emulator for target '\(target)'; there are \(targets.joined(separator: ", "))"
            )
        }
    }

    private static func makeNBT(
        firmware: String?,
        options: [String: String],
        seed: UInt64,
        clock: any RigClock
    ) throws(EmulatorOptionError) -> Device {
        // Only `needs` compares it, where a text that is no version would skip cases without a word about why.
        if let firmware, (try? FirmwareVersion(firmware)) == nil {
            throw EmulatorOptionError("firmware '\(firmware)' is no version; write one such as 1.10")
        }
        let kitNames = Set(EmulatedKit.options.map(\.name))
        let chip = try NBTChip(
            options: options.filter { !kitNames.contains($0.key) },
            seed: seed,
            clock: clock
        )
        var kitOptions = options.filter { kitNames.contains($0.key) }
        if kitOptions[firmwareLoop] == nil {
            kitOptions[firmwareLoop] = loop(leaving: chip, options["state"])
        }
        let kit = try EmulatedKit(i2c: chip.i2c, clock: clock, options: kitOptions)
        chip.onFieldChange { [weak kit] in kit?.settle() }
        chip.onHostInterrupt { [weak kit] in kit?.chipRaisedInterrupt() }
        return Device(
            card: chip.nfc,
            kit: kit,
            capabilities: ["kit.led", "kit.button", "kit.reset", "kit.uart"].reduce(into: []) {
                $0.insert(Capability(rawValue: $1))
            },
            protocolName: nil,
            acceptsChaining: false,
            firmware: firmware,
            sample: "emulated NBT \(chip.uid.hex)",
            onCut: { command in cutHalfWay(command, of: chip) },
            roles: [hostSide: chip.i2c],
            links: chip.speaksBlocks
                ? [hostSide: { BlockConnection(chip, clock: clock, deadline: $0) }] : [:],
            memory: CardMemoryText(
                save: { chip.savedState },
                restore: { text throws(EmulatorOptionError) in try chip.restoreState(text) }
            ),
            muteReason: { $0 == "i2c" ? chip.i2cMuteReason : chip.nfcMuteReason },
            anticollision: chip.anticollision.line
        )
    }

    private static let firmwareLoop = "firmware-loop"

    /// The firmware of the board that leaves the chip as its options say; nil when they say nothing of what it would do.
    ///
    /// Each firmware example installs its policy when it starts, and sets what the pin does and which interfaces are on.
    private static func loop(leaving chip: NBTChip, _ state: String?) -> String? {
        if chip.presetsFirmwareSettings { return "off" }
        return switch state {
        case nil: nil
        case "adt", "pass-through": state
        default: "off"
        }
    }

    private static func makeTangem(
        firmware: String?,
        options: [String: String],
        seed: UInt64,
        clock: any RigClock
    ) throws(EmulatorOptionError) -> Device {
        let card = try TangemCard(
            firmware: firmware ?? TangemCard.defaultProfile,
            options: options,
            seed: seed,
            clock: clock
        )
        var capabilities: Set<Capability> = [.extendedLength, Capability(rawValue: "wallet.purge")]
        if Int(options["delay-scale"] ?? "1") == 1 { capabilities.insert(.securityDelay) }
        return Device(
            card: card,
            kit: nil,
            capabilities: capabilities,
            protocolName: nil,
            acceptsChaining: false,
            firmware: card.firmware,
            sample: "emulated Tangem card \(card.cardID?.hex ?? "without an identifier")",
            // A command is carried out as a whole or not at all: the power that goes in its middle leaves the old state.
            onCut: { _ in card.cutDuringNextWrite(leaving: .oldState) },
            roles: spareCards(firmware: firmware, options: options, seed: seed, clock: clock),
            otherCards: spareNames,
            memory: CardMemoryText(
                save: { card.savedState },
                restore: { text throws(EmulatorOptionError) in try card.restoreState(text) }
            )
        )
    }

    /// The roles of a target that are cards of their own, in order.
    static func otherCards(of target: String) -> [String] { target == "tangem" ? spareNames : [] }

    /// Why no reader can give a role of a target, in one sentence; nil when one can, or when there is no such role.
    static func absenceFromReaders(ofRole role: String, target: String) -> String? {
        guard target == "nbt", role == hostSide else { return nil }
        return "I2C is the chip's side towards its micro-controller and has no equivalent in PC/SC; "
            + "run it with --via emulator"
    }

    /// The role that is the host's side of an NBT.
    private static let hostSide = "i2c"
    /// The roles that are the other cards of a wallet's set.
    private static let spareNames = ["backup", "second-backup"]

    /// Two more cards for the backup of a wallet, empty and of the same kind, made when somebody wants them.
    private static func spareCards(
        firmware: String?,
        options: [String: String],
        seed: UInt64,
        clock: any RigClock
    ) -> [String: any Card] {
        var options = options
        options["start"] = "empty"
        // Each card has an identifier and keys of its own.
        for name in ["card-id", "uid", "keys"] { options[name] = nil }
        let settings = options
        return Dictionary(
            uniqueKeysWithValues: spareNames.enumerated().map { number, name in
                let spare = CardOnDemand { () throws(EmulatorOptionError) in
                    try TangemCard(
                        firmware: firmware ?? TangemCard.defaultProfile,
                        options: settings,
                        seed: seed &+ UInt64(number) &+ 1,
                        clock: clock
                    )
                }
                return (name, spare)
            }
        )
    }

    private static func makeScripted(options: [String: String]) throws(EmulatorOptionError) -> Device {
        guard let path = options["card"], !path.isEmpty else {
            throw EmulatorOptionError(
                "target iso7816 is emulated by a scripted card, and no file is named; "
                    + "write options: {card: FILE} in the suite, or --option card=FILE"
            )
        }
        let card: ScriptedCard
        do {
            card = try ScriptedCard(json: HostFile.read(path, limit: 16 << 20), name: path)
        } catch {
            throw EmulatorOptionError("\(error)")
        }
        return Device(
            card: card,
            kit: nil,
            capabilities: [.extendedLength],
            protocolName: card.protocolName,
            acceptsChaining: card.acceptsChaining,
            firmware: nil,
            sample: path,
            onCut: nil
        )
    }

    /// Lets a command that writes lose its power half way.
    private static func cutHalfWay(_ command: [UInt8], of chip: NBTChip) {
        guard let command = try? CommandAPDU(bytes: command) else { return }
        chip.cutDuringNextWrite(afterBytes: command.nc / 2)
    }

    /// The options whose values are paths of files.
    fileprivate static func fileOptions(of target: String) -> Set<String> {
        Set(options(of: target).filter { $0.kind == .file }.map(\.name))
    }
}

extension NBTChip.Anticollision {
    fileprivate var line: String {
        "UID \(uid.hex), ATQA \(atqa.hex), SAK \([sak].hex), ATS \(ats.hex)"
    }
}

extension Vocabulary {
    /// Everything that a scenario may name in this program.
    public static let shipped = Vocabulary(
        verbs: VerbTable.shipped.specs,
        dictionaries: Dictionaries.all,
        capabilities: CapabilityList.words,
        faults: FaultKind.allCases.map(\.rawValue),
        errorTypes: FaultKind.allCases.map(\.junitType) + [
            "UnexpectedStatus", "UnexpectedData", "UnexpectedError", "TimingExceeded", "ProbeMismatch",
            "CheckFailed",
            "SetupFailed",
        ],
        finalErrorTypes: ["TeardownFailed", "ScenarioInvalid", "Interrupted", "KnownFailurePassed"],
        emulatorOptions: Dictionary(
            uniqueKeysWithValues: EmulatorCatalog.targets.map { target in
                (
                    target,
                    Dictionary(
                        EmulatorCatalog.options(of: target).map { option in
                            (option.name, { @Sendable (text: String) in option.complaint(about: text) })
                        },
                        uniquingKeysWith: { first, _ in first }
                    )
                )
            }
        ),
        fileOptions: Dictionary(
            uniqueKeysWithValues: EmulatorCatalog.targets.map { ($0, EmulatorCatalog.fileOptions(of: $0)) }
        )
    )
}

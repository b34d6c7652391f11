// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import JSONText
public import NBTConstants

/// An emulated OPTIGA Authenticate NBT: one memory with two faces, NFC and I2C.
///
/// The faces may be used from different threads. While the NFC face has power (a reader's field is on), the I2C face
/// does not answer at all, the two commands of the pass-through apart; ``i2cMuteReason`` says so in a sentence.
/// What the chip checks is taken from the status tables and frames of the vendor's public libraries; where those say
/// nothing, the behaviour is an option with a default of our own choice. Keys and tokens follow from the seed, so
/// that the same commands give the same bytes; they are worthless as secrets.
public final class NBTChip: Sendable {
    /// The contactless face, for a reader.
    public let nfc: any Card
    /// The I2C face, for a micro-controller: bare commands, FETCH DATA and PUT RESPONSE of the pass-through included.
    ///
    /// ``NBTBlockFace`` puts it behind the blocks that travel on the bus.
    public let i2c: any Card

    let core: ChipCore

    /// Makes a chip.
    ///
    /// - Parameters:
    ///   - options: Settings by name, see ``options``.
    ///   - seed: Source of everything random; the same seed gives the same chip.
    ///   - clock: The time that the chip lives in.
    /// - Throws: `EmulatorOptionError` when an option is unknown or its value is wrong.
    public convenience init(
        options: [String: String] = [:],
        seed: UInt64 = 0,
        clock: any RigClock
    ) throws(EmulatorOptionError) {
        try self.init(options: options, seed: seed, clock: clock, rules: ChipRules())
    }

    /// Makes a chip that decides by its own rules; tests give it wrong ones.
    init(
        options: [String: String],
        seed: UInt64,
        clock: any RigClock,
        rules: ChipRules
    ) throws(EmulatorOptionError) {
        let settings = try ChipSettings(options, seed: seed)
        let memory: ChipMemory
        do {
            memory = try ChipMemory(settings)
        } catch {
            throw EmulatorOptionError("the chip cannot make its certificate: \(error)")
        }
        core = ChipCore(state: ChipState(settings: settings, rules: rules, memory: memory), clock: clock)
        nfc = ChipFace(.nfc, of: core)
        i2c = ChipFace(.i2c, of: core)
    }

    /// The settings that ``init(options:seed:clock:)`` takes.
    public static let options: [EmulatorOption] = ChipSettings.options

    /// The fixed UID, 7 bytes; certificate and tokens name it, no command tells it.
    public var uid: [UInt8] { core.withState { $0.memory.uid } }

    /// Whether an option names what a kit's firmware sets when it starts: the pin's function, or the interfaces.
    public var presetsFirmwareSettings: Bool {
        core.withState { !$0.settings.namedSettings.isDisjoint(with: [.gpioFunction, .interfaces]) }
    }

    /// What the chip shows during anticollision, as it is since the field came last.
    public var anticollision: Anticollision {
        core.withState { state in
            Anticollision(
                uid: state.shownUID,
                atqa: state.settings.atqa,
                sak: state.settings.sak,
                ats: state.settings.ats
            )
        }
    }

    /// What a contactless reader learns before the first command.
    public struct Anticollision: Hashable, Sendable {
        /// The fixed UID of 7 bytes, or a random one of 4 that changes with the field (tag C053).
        public let uid: [UInt8]
        /// Answer to request, 2 bytes.
        public let atqa: [UInt8]
        /// Select acknowledge.
        public let sak: UInt8
        /// Answer to select.
        public let ats: [UInt8]
    }

    /// Certificate of the authority under which emulated chips in the state `brand-protection` are certified, DER.
    public static func developmentAuthority() throws(EmulatorOptionError) -> [UInt8] {
        do {
            return try DevelopmentIdentity.authority()
        } catch {
            throw EmulatorOptionError("the development authority cannot be made: \(error)")
        }
    }

    /// True while a reader's field powers the chip.
    public var isFieldOn: Bool { core.withState { $0.nfc.isPowered } }

    /// Whether the option `i2c-link` wants the I2C face behind blocks.
    public var speaksBlocks: Bool { core.withState { $0.settings.speaksBlocks } }

    /// Why the I2C face does not answer, in one sentence; nil when it does.
    public var i2cMuteReason: String? { core.withState { $0.muteReason(of: .i2c) } }

    /// Why the NFC face does not answer, in one sentence; nil when it does.
    public var nfcMuteReason: String? { core.withState { $0.muteReason(of: .nfc) } }

    /// The bytes of a file, whatever its policy says; nil when the chip has no such file.
    public func contents(of file: NBTFile) -> [UInt8]? { core.withState { $0.memory.files[file] } }

    /// Takes the field away in the middle of the next command over NFC that writes.
    ///
    /// An UPDATE BINARY writes its first `afterBytes` bytes; what is no plain file content is written whole or not at
    /// all, and everything where the kit supplies the chip (option `supply`). No answer is sent, and the face stays
    /// without power until the next `powerOn()`. If no command writes before the field goes anyway, nothing happens.
    public func cutDuringNextWrite(afterBytes: Int) {
        core.withState { $0.cutAfterBytes = max(0, afterBytes) }
    }

    /// Calls a function each time before the field comes or goes.
    ///
    /// Whoever acts on the I2C face at a certain time (a kit's firmware) catches up there, since afterwards it would
    /// find the field in the wrong state. The function is called outside of the chip's lock and may use both faces;
    /// the chip keeps it for life, so let it hold its owner weakly.
    public func onFieldChange(_ handler: @escaping @Sendable () -> Void) {
        core.addFieldHandler(handler)
    }
}

extension NBTChip {
    /// True while the GPIO pin is active, by its function (tag C030): a field, an answer on the bus, or a command of
    /// the phone that waits to be fetched.
    public var isInterruptRaised: Bool { core.withState { $0.isPinActive } }

    /// Whether the GPIO pin is high; tag C031 says whether that is its active level.
    public var isPinHigh: Bool {
        core.withState { state in
            let isActiveHigh = state.active[.gpioActiveLevel] == [ConfiguratorValues.activeHigh]
            return state.isPinActive == isActiveHigh
        }
    }

    /// True while the phone has a foreign application selected, whose commands go to the host.
    public var isPassThroughOpen: Bool { core.withState { $0.passThrough.isOpen } }

    /// Calls a function when a command of the phone waits for the host, on the thread of the NFC face.
    ///
    /// A modelled firmware fetches the command there and puts its response, all over ``i2c``, and may let time pass on
    /// the clock. If no response is there when the function returns, the chip waits for one from another thread, up to
    /// the option `pass-through-timeout`. The function is called outside of the chip's lock; the chip keeps it for
    /// life, so let it hold its owner weakly.
    public func onHostInterrupt(_ handler: @escaping @Sendable () -> Void) {
        core.addInterruptHandler(handler)
    }

    /// All that the chip remembers without power, as JSON text, keys and passwords included.
    public var savedState: String { core.withState { $0.savedMemory.prettyText } }

    /// Takes over what ``savedState`` of a chip of the same variant gave; faces with power start anew.
    ///
    /// - Parameter text: The JSON text.
    /// - Throws: `EmulatorOptionError` when the text is no such state; the chip is as before then.
    public func restoreState(_ text: String) throws(EmulatorOptionError) {
        let problem: EmulatorOptionError? = core.withState { state in
            do throws(EmulatorOptionError) {
                try state.restore(text)
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }
}

// SPDX-License-Identifier: MIT

public import CardConnection
public import NBTConstants

/// An emulated OPTIGA Authenticate NBT: one memory with two faces, NFC and I2C.
///
/// The faces may be used from different threads. While the NFC face has power (a reader's field is on), the I2C face
/// does not answer at all; ``i2cMuteReason`` says so in a sentence.
/// What the chip checks is taken from the status tables and frames of the vendor's public libraries; where those say
/// nothing, the behaviour is an option with a default of our own choice.
public final class NBTChip: Sendable {
    /// The contactless face, for a reader.
    public let nfc: any Card
    /// The I2C face, for a micro-controller.
    public let i2c: any Card

    private let core: ChipCore

    /// Makes a chip.
    ///
    /// - Parameters:
    ///   - options: Settings by name, see ``options``.
    ///   - seed: Source of everything random; the same seed gives the same chip.
    ///   - clock: The time that the chip lives in.
    /// - Throws: `EmulatorOptionError` when an option is unknown or its value is wrong.
    public init(
        options: [String: String] = [:],
        seed: UInt64 = 0,
        clock: any RigClock
    ) throws(EmulatorOptionError) {
        let settings = try ChipSettings(options, seed: seed)
        core = ChipCore(state: ChipState(settings: settings), clock: clock)
        nfc = ChipFace(.nfc, of: core)
        i2c = ChipFace(.i2c, of: core)
    }

    /// The settings that ``init(options:seed:clock:)`` takes.
    public static let options: [EmulatorOption] = ChipSettings.options

    /// The UID, 7 bytes; anticollision shows it, no APDU does.
    public var uid: [UInt8] { core.withState { $0.settings.uid } }

    /// True while a reader's field powers the chip.
    public var isFieldOn: Bool { core.withState { $0.nfc.isPowered } }

    /// Why the I2C face does not answer, in one sentence; nil when it does.
    public var i2cMuteReason: String? { core.withState { $0.muteReason(of: .i2c) } }

    /// Why the NFC face does not answer, in one sentence; nil when it does.
    public var nfcMuteReason: String? { core.withState { $0.muteReason(of: .nfc) } }

    /// The bytes of a file, whatever its policy says; nil when the chip has no such file.
    public func contents(of file: NBTFile) -> [UInt8]? { core.withState { $0.files[file] } }

    /// Takes the field away in the middle of the next UPDATE BINARY over NFC.
    ///
    /// The command writes its first `afterBytes` bytes, no answer is sent, and the face stays without power until
    /// the next `powerOn()`. Records of the access policy are written whole or not at all.
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

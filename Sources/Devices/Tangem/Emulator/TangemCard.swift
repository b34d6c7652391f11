// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import JSONText
import Synchronization

/// An emulated Tangem wallet card, as far as public sources show what one does.
///
/// It is a development card: issuer and manufacturer are the published development keys. Cryptography is real, keys
/// and salts follow from the seed, so the same commands give the same bytes. Where no source tells what a card does,
/// an option decides; the scheme between the cards of a backup is our own (UNVERIFIED against real cards).
public final class TangemCard: Card, Sendable {
    /// What a power loss in the middle of a write leaves behind.
    public enum TornWrite: Hashable, Sendable {
        /// The state before the command.
        case oldState
        /// The state after the command, whose answer is lost.
        case newState
    }

    private let state: Mutex<CardState>
    private let clock: any RigClock

    /// Makes a card.
    ///
    /// - Parameters:
    ///   - firmware: A word of ``profiles``, or the whole text of the firmware.
    ///   - options: Settings by name, see ``options``.
    ///   - seed: Source of everything random; the same seed gives the same card.
    ///   - clock: The time that the card lives in.
    /// - Throws: `EmulatorOptionError` when the profile or an option is unknown or a value is wrong.
    public init(
        firmware: String = TangemCard.defaultProfile,
        options: [String: String] = [:],
        seed: UInt64 = 0,
        clock: any RigClock
    ) throws(EmulatorOptionError) {
        let settings = try CardSettings(firmware: firmware, options: options, seed: seed)
        do {
            state = Mutex(try CardState(settings: settings))
        } catch {
            throw EmulatorOptionError("the card cannot make its keys: \(error)")
        }
        self.clock = clock
    }

    /// The profiles that can be emulated, the oldest first.
    public static let profiles: [String] = CardProfile.all.map(\.name)

    /// The profile when none is asked for.
    public static let defaultProfile = "4.12r"

    /// The settings that ``init(firmware:options:seed:clock:)`` takes.
    public static let options: [EmulatorOption] = CardSettings.options

    /// Answer to reset that a reader reports.
    public var atr: [UInt8] { state.withLock { $0.settings.atr } }

    /// The UID of the contactless interface.
    public var uid: [UInt8] { state.withLock { $0.settings.uid } }

    /// The same, for readers.
    public var contactlessUID: [UInt8]? { uid }

    /// The text of the firmware as the card reports it.
    public var firmware: String { state.withLock { $0.settings.profile.firmware } }

    /// The card identifier, nil while the card is blank.
    public var cardID: [UInt8]? { state.withLock { $0.memory.identity?.cardID } }

    /// Public key of the card, 65 bytes.
    public var cardPublicKey: [UInt8] { state.withLock { $0.cardPublicKey } }

    /// The card's certificate as the issuer's server would hand it out: key (tag 03) and signature (tag 33).
    public var certificate: [UInt8] { state.withLock { $0.certificate } }

    /// Power comes: session, selection and running delay are fresh.
    public func powerOn() { state.withLock { $0.setPower(true) } }

    /// Power goes: session, selection, running delay and half-written data are lost.
    public func powerOff() { state.withLock { $0.setPower(false) } }

    /// Answers a command, whatever its bytes are.
    public func respond(to command: [UInt8]) -> CardAnswer {
        let now = clock.now
        return state.withLock { $0.answer(command, at: now) }
    }

    /// Takes the power away in the middle of the next command that writes.
    ///
    /// The command gives no answer; what it leaves is the old or the new state as a whole, never a mixture.
    public func cutDuringNextWrite(leaving outcome: TornWrite) {
        state.withLock { $0.tornWrite = outcome }
    }

    /// All that the card remembers without power, as JSON text, keys included.
    public var savedState: String { state.withLock { $0.json.prettyText } }

    /// Takes over what ``savedState`` of a card of the same profile gave.
    ///
    /// - Parameter text: The JSON text.
    /// - Throws: `EmulatorOptionError` when the text is no such state; the card is as before then.
    public func restoreState(_ text: String) throws(EmulatorOptionError) {
        let problem: EmulatorOptionError? = state.withLock { state in
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

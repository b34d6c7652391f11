// SPDX-License-Identifier: MIT

public import CardConnection
import Synchronization

/// An emulated KitProg3: a CMSIS-DAP probe whose target is an ``EmulatedKit``.
///
/// Packets go in and come out as a USB bulk pipe would carry them. Any bytes may be sent; what is no request is
/// answered by `FF`. The probe may be used from any thread; one packet is worked on at a time.
///
/// Source: CMSIS-DAP version 2, reference manual; values of KitProg3 firmware 2.80.1.
public final class EmulatedProbe: Sendable {
    /// The serial number.
    public let serial: String
    /// Bytes of the longest packet.
    public let packetSize: Int
    /// The kit that the probe's wires lead to.
    public let kit: EmulatedKit

    /// Whether answers over TCP come byte by byte.
    let sendsInPieces: Bool

    private let state: Mutex<ProbeState>
    private let isUnplugged = Atomic(false)
    private let abort: AbortFlag

    /// Makes a probe.
    ///
    /// - Parameters:
    ///   - kit: The kit that the probe's wires lead to.
    ///   - options: Settings by name, see ``options``.
    /// - Throws: `EmulatorOptionError` when an option is unknown or its value is wrong.
    public init(kit: EmulatedKit, options: [String: String] = [:]) throws(EmulatorOptionError) {
        let settings = try ProbeSettings(try EmulatorOptionValues(options, of: Self.options))
        let abort = AbortFlag()
        self.kit = kit
        self.abort = abort
        serial = settings.serial
        packetSize = settings.packetSize
        sendsInPieces = settings.sendsInPieces
        state = Mutex(ProbeState(settings: settings, kit: kit, abort: abort))
    }

    /// The settings that ``init(kit:options:)`` takes.
    public static let options: [EmulatorOption] = ProbeSettings.options

    /// Answers a packet.
    ///
    /// - Parameter packet: The packet as it came, any bytes at all.
    /// - Returns: What is sent back.
    public func respond(to packet: [UInt8]) -> ProbeAnswer {
        guard !isUnplugged.load(ordering: .relaxed) else { return .gone }
        if packet.first == ProbeCommand.transferAbort.rawValue {
            // It overtakes a transfer that is under way, and has no answer of its own.
            abort.raise()
            return .packets([])
        }
        return state.withLock { state in
            let answer = state.answer(packet)
            if answer == .gone { isUnplugged.store(true, ordering: .relaxed) }
            return answer
        }
    }

    /// Pulls the probe's plug: nothing is answered any more.
    public func unplug() {
        isUnplugged.store(true, ordering: .relaxed)
    }

    /// Whether the probe is gone.
    public var isGone: Bool { isUnplugged.load(ordering: .relaxed) }

    /// How many packets were answered.
    public var packetCount: Int { state.withLock { $0.packetCount } }
}

/// Says to a transfer under way that it shall end.
final class AbortFlag: Sendable {
    private let isRaised = Atomic(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Whether it was raised since the last look.
    func take() -> Bool { isRaised.exchange(false, ordering: .relaxed) }
}

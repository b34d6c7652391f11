// SPDX-License-Identifier: MIT

import CardConnection

/// How an emulated probe is made and what is wrong with it.
struct ProbeSettings: Hashable, Sendable {
    /// Bytes of the longest packet.
    let packetSize: Int
    /// The serial number.
    let serial: String
    /// Whether answers over TCP come byte by byte.
    let sendsInPieces: Bool
    /// DPIDR of the target.
    let targetIdentity: UInt32
    /// Whether access port 0 reaches the bus.
    let isSystemPortOpen: Bool
    /// Whether the target has power.
    let isTargetOn: Bool
    /// Whether a reset of the chip takes the debug connection along.
    let losesLineInReset: Bool
    /// Whether DAP_ResetTarget does something.
    let canResetTarget: Bool
    /// How often each access-port transfer is answered by WAIT first.
    let waitCount: Int
    /// The access-port transfer that fails, counted from 1; 0 for none.
    let faultAt: Int
    /// The first accesses behind a line reset that nobody answers.
    let deafCount: Int
    /// Fastest clock in kHz at which the wires work; 0 for any.
    let fastestClock: Int
    /// Packets until the probe is unplugged; 0 for never.
    let goneAfter: Int
    /// The packet whose answer belongs to another command, counted from 1; 0 for none.
    let garbledAt: Int
    /// The packet that is never answered, counted from 1; 0 for none.
    let muteAt: Int
    /// Whether a transfer whose error shows only later is counted, as the reference firmware does.
    let countsLateErrors: Bool

    init(_ values: EmulatorOptionValues) throws(EmulatorOptionError) {
        let identity = values.text("target-id")
        guard identity.count == 8, let number = UInt32(identity, radix: 16) else {
            throw EmulatorOptionError(
                "'\(identity)' is no value of target-id: write 8 hex digits, such as 6BA02477"
            )
        }
        targetIdentity = number
        packetSize = Int(values.text("probe-packet")) ?? 64
        serial = values.text("probe-serial")
        sendsInPieces = values.text("tcp-delivery") == "pieces"
        isSystemPortOpen = values.text("system-port") == "open"
        isTargetOn = values.text("target-power") == "on"
        losesLineInReset = values.text("reset-link") == "lost"
        canResetTarget = values.text("reset-target") == "works"
        waitCount = values.number("probe-wait")
        faultAt = values.number("probe-fault")
        deafCount = values.number("probe-deaf")
        fastestClock = values.number("probe-fastest")
        goneAfter = values.number("probe-gone-after")
        garbledAt = values.number("probe-garble")
        muteAt = values.number("probe-mute")
        countsLateErrors = values.text("late-errors") == "counted"
    }

    static let options: [EmulatorOption] = [
        EmulatorOption("probe-packet", .choice(["64", "512"]), default: "64", "bytes of the longest packet"),
        EmulatorOption("probe-serial", .hex, default: "102015B003137400", "serial number of the probe"),
        EmulatorOption(
            "tcp-delivery",
            .choice(["whole", "pieces"]),
            default: "whole",
            "whether an answer over TCP comes in one piece or byte by byte"
        ),
        // The default is that of a PSoC 62 with 2 MB, as a published debugger log shows it.
        EmulatorOption("target-id", .hex, default: "6BA02477", "DPIDR of the target, 8 digits"),
        EmulatorOption(
            "system-port",
            .choice(["open", "closed"]),
            default: "open",
            "whether access port 0 reaches the bus"
        ),
        EmulatorOption(
            "target-power",
            .choice(["on", "off"]),
            default: "on",
            "whether the target has power"
        ),
        EmulatorOption(
            "reset-link",
            .choice(["lost", "kept"]),
            default: "lost",
            "what a reset of the chip does to the debug connection"
        ),
        EmulatorOption(
            "reset-target",
            .choice(["works", "nothing"]),
            default: "works",
            "what DAP_ResetTarget does"
        ),
        EmulatorOption(
            "probe-wait",
            .number(0...100_000),
            default: "0",
            "how often each access is answered by WAIT first"
        ),
        EmulatorOption(
            "probe-fault",
            .number(0...1_000_000),
            default: "0",
            "the access to memory or its port that fails, counted from 1; 0 for none"
        ),
        EmulatorOption(
            "probe-deaf",
            .number(0...1000),
            default: "0",
            "first accesses behind a line reset that nobody answers"
        ),
        EmulatorOption(
            "probe-fastest",
            .number(0...100_000),
            default: "0",
            "fastest clock in kHz at which the wires work; 0 for any"
        ),
        EmulatorOption(
            "probe-gone-after",
            .number(0...1_000_000),
            default: "0",
            "packets until the probe is unplugged; 0 for never"
        ),
        EmulatorOption(
            "probe-garble",
            .number(0...1_000_000),
            default: "0",
            "the packet that gets the answer of another one, counted from 1; 0 for none"
        ),
        EmulatorOption(
            "probe-mute",
            .number(0...1_000_000),
            default: "0",
            "the packet that is never answered, counted from 1; 0 for none"
        ),
        EmulatorOption(
            "late-errors",
            .choice(["dropped", "counted"]),
            default: "dropped",
            "whether a transfer whose error shows only later is counted as done"
        ),
    ]
}

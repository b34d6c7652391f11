// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import DevKit
import HostSystem
import Runner
import Wording

/// `taprig kit watch`: shows a LED of a kit as it changes.
enum KitWatchCommand {
    static let spec = CommandSpec(
        path: ["kit", "watch"],
        summary: "Shows a LED of the kit live, until it is interrupted.",
        discussion: """
            On a terminal one line follows the LED. Elsewhere a line is written for the first look and for each change:
            seconds since the start, the state, and how long the old state lasted.
            """,
        options: KitArguments.shared + [
            OptionSpec("--led", value: "NAME", summary: "Which LED of the board (user)."),
            OptionSpec("--interval", value: "DURATION", summary: "Time between two looks (20ms)."),
            OptionSpec("-n", "--looks", value: "N", summary: "End after so many looks (never)."),
        ],
        examples: ["taprig kit watch", "taprig kit watch --interval 5ms -n 1000 > led.txt"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let interval = try DeviceArguments.duration(command, "--interval") ?? .milliseconds(20)
        let looks = try SharedOptions.number(command, "--looks", in: 1...1_000_000_000)
        let setup = try KitArguments.setup(command)
        let led = try KitArguments.led(command, of: setup.board)
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let kit = try KitArguments.kit(setup)
        defer { kit.close() }
        let start = MonotonicTime.now
        var screen = LEDScreen(isLive: StandardStream.output.isTerminal)
        return try KitArguments.touching { () throws(TransportFault) in
            if let warning = try kit.warning() { Console.note("warning: \(warning)") }
            var count = 0
            while interruption.signal == nil, !StandardStream.output.isLost, looks.map({ count < $0 }) ?? true
            {
                screen.show(try kit.look(at: led), at: MonotonicTime.now - start)
                count += 1
                MonotonicTime.sleep(interval)
            }
            screen.end()
            return interruption.exitCode ?? .held
        }
    }
}

/// The states of a LED as lines, or as one line that is written over.
private struct LEDScreen {
    let isLive: Bool
    private var last: String?
    private var since = Duration.zero
    private var changes = 0

    init(isLive: Bool) {
        self.isLive = isLive
    }

    mutating func show(_ look: LEDLook, at time: Duration) {
        let word = look.doubt == nil ? look.steady?.rawValue ?? "changing" : "unknown"
        let isNew = word != last
        if isNew, last != nil { changes += 1 }
        if isLive {
            StandardStream.output.write(
                "\r\u{1B}[K\(Self.seconds(time))  \(word)  \(changes) \(changes == 1 ? "change" : "changes")"
            )
        } else if isNew {
            let lasted = last.map { "  (\($0) for \(Self.seconds(time - since)))" } ?? ""
            Console.say("\(Self.seconds(time))  \(word)\(lasted)")
        }
        guard isNew else { return }
        if let doubt = look.doubt { Console.note((isLive ? "\n" : "") + doubt) }
        last = word
        since = time
    }

    func end() {
        if isLive { StandardStream.output.write("\n") }
    }

    /// Seconds with three decimals.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        return "\(milliseconds / 1000).\(Digits.decimal(milliseconds % 1000, width: 3)) s"
    }
}

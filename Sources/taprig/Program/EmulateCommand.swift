// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import HostSystem
import Routes
import Runner
import SmartCard
import Synchronization
import Trace
import VirtualReader
import Wording

/// `taprig emulate`: puts an emulated device behind the PC/SC service.
enum EmulateCommand {
    static let spec = CommandSpec(
        path: ["emulate"],
        summary: "Puts an emulated card into the virtual reader of vpcd.",
        discussion: """
            DEVICE is nbt, tangem, or script with --card FILE for a scripted card. The card dials the driver (and dials again
            whenever the service was away) until the program is interrupted. Any PC/SC program can use it from the line
            "in the reader" on, which is written when the service has given the card power.
            `taprig emulate nbt --help` lists the options of nbt with their defaults, `taprig emulate tangem --help` those of
            a wallet card. With --state the device remembers over runs what a real one does; the file holds its
            keys and codes. A card that says nothing for 90 s is taken out of the reader and put in again, so that no program
            waits for it for ever.
            """,
        positionals: [PositionalSpec("DEVICE", summary: "The device: nbt, tangem or script.")],
        options: [
            OptionSpec("--card", value: "FILE", summary: "JSON file of the scripted card."),
            SharedOptions.vpcd, SharedOptions.firmware, SharedOptions.option,
            OptionSpec("--options", summary: "Explain the options of the device and end."),
            OptionSpec("--trace", value: "FILE", summary: "Keep every exchange in a trace file."),
            OptionSpec(
                "--state",
                value: "FILE",
                summary: "Begin with the device that FILE holds, and keep it there after each change."
            ),
        ],
        examples: [
            "taprig emulate nbt --option state=adt",
            "taprig emulate nbt --state tag.json",
            "taprig emulate tangem --firmware 6.33d --option start=loaded",
            "taprig emulate tangem --state card.json",
            "taprig emulate script --card card.json --vpcd localhost:35964",
        ]
    )

    /// The targets by the words for devices.
    static let targets = ["nbt": "nbt", "tangem": "tangem", "script": "iso7816"]

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let word = command.positionals[0]
        guard let target = targets[word] else {
            let hint =
                Suggestion.nearest(to: word, among: ["nbt", "tangem", "script"]).map {
                    "; did you mean '\($0)'?"
                } ?? ""
            throw .usage("there is no device '\(word)'; there are nbt, tangem and script\(hint)")
        }
        if command.flag("--options") {
            for option in EmulatorCatalog.options(of: target) { Console.say(option.line) }
            return .held
        }
        let device = try DeviceArguments(emulatedBy: command)
        var options = device.options
        if let card = command.value("--card") { options["card"] = card }
        try device.checkOptions(for: [target])
        let interruption = Interruption()
        SignalWatch.start(interruption)
        let emulated: EmulatorCatalog.Device
        do throws(EmulatorOptionError) {
            emulated = try EmulatorCatalog.make(
                target: target,
                firmware: device.firmware,
                options: options,
                seed: 0,
                clock: SystemClock()
            )
        } catch {
            throw .usage("\(error)")
        }
        let state = try command.value("--state").map { path throws(CommandFailure) in
            if HostFile.exists(path) { warn(of: options, path: path, target: target, device.firmware) }
            return try stateFile(path, of: emulated)
        }
        let log = command.value("--trace").map {
            EmulatorLog(path: $0, target: target, atr: emulated.card.atr)
        }
        if let failure = log?.failure { throw .rig("--trace: \(failure)") }
        let client = VirtualCardClient(
            card: state ?? emulated.card,
            host: device.vpcd.host,
            port: device.vpcd.port,
            onExchange: { log?.write($0, $1, $2) }
        )
        client.patience = VirtualCardWatch.silence
        client.start()
        Console.note(
            "\(emulated.sample): dialling the virtual reader at \(device.vpcd.host):\(device.vpcd.port); Ctrl-C ends it"
        )
        if let anticollision = emulated.anticollision { Console.note(anticollision) }
        return serve(client, interruption: interruption, log: log, state: state)
    }

    /// Says which options are for a new device, since the file holds one already.
    private static func warn(of options: [String: String], path: String, target: String, _ firmware: String?)
    {
        func memory(_ options: [String: String]) -> String? {
            let device = try? EmulatorCatalog.make(
                target: target,
                firmware: firmware,
                options: options,
                seed: 0,
                clock: SystemClock()
            )
            return device?.memory?.save()
        }
        let plain = memory([:])
        let idle = options.sorted { $0.key < $1.key }.filter { memory([$0.key: $0.value]) != plain }
        guard !idle.isEmpty else { return }
        let list = idle.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
        Console.note(
            "note: \(path) holds a device already; \(list) would shape a new one, and what the file says goes before it"
        )
    }

    private static func stateFile(
        _ path: String,
        of device: EmulatorCatalog.Device
    ) throws(CommandFailure) -> CardStateFile {
        guard let memory = device.memory else {
            throw .usage("--state is for devices with a memory; a scripted card has none")
        }
        do throws(EmulatorOptionError) {
            return try CardStateFile(device.card, memory: memory, path: path)
        } catch {
            throw .usage("--state: \(error)")
        }
    }

    private static func serve(
        _ client: VirtualCardClient,
        interruption: Interruption,
        log: EmulatorLog?,
        state kept: CardStateFile?
    ) -> ExitCode {
        var troubles: [String] = []
        // Told when it happens: who ends the program hard would never hear of it.
        func tell(_ trouble: String?) {
            guard let trouble, !troubles.contains(trouble) else { return }
            troubles.append(trouble)
            Console.note(trouble)
        }
        var watch = VirtualCardWatch(client: client)
        while interruption.signal == nil {
            watch.look(isCancelled: { interruption.signal != nil }, tell: { Console.note($0) })
            tell(kept?.trouble)
            tell(log?.trouble)
        }
        client.stop()
        log?.end()
        tell(kept?.trouble)
        tell(log?.trouble)
        kept?.letGo()
        Console.note("ended by \(interruption.signal ?? "a signal"): \(client.state.exchangeCount) exchanges")
        return troubles.isEmpty ? interruption.exitCode ?? .held : .rig
    }
}

/// The trace of an emulator that serves the virtual reader; written by the client's thread.
private final class EmulatorLog: Sendable {
    private struct State: ~Copyable {
        // The writer is no value and no Sendable: the lock around it is what makes its use from two threads safe.
        let writer: TraceWriter
        let origin = MonotonicTime.now
        var mask: SecretMask
    }

    private let state: Mutex<State>
    private let namer: @Sendable ([UInt8]) -> String?

    init(path: String, target: String, atr: [UInt8]) {
        namer = CommandNamer.of(target)
        var header = TraceHeader()
        header.rig = Program.version
        header.target = target
        header.via = "vpcd"
        header.atr = atr.hex
        header.started = WallTime.now.iso
        state = Mutex(
            State(writer: TraceWriter(path: path, header: header), mask: SecretMask(target: target))
        )
    }

    func write(_ command: [UInt8], _ answer: [UInt8], _ time: Duration) {
        state.withLock {
            $0.mask.learn(from: command)
            $0.writer.exchange(
                command: command,
                response: answer,
                start: MonotonicTime.now - $0.origin - time,
                duration: time,
                name: namer(command) ?? CommandNames.name(of: command),
                hiddenInCommand: $0.mask.hiddenInCommand(command),
                hiddenInResponse: $0.mask.hiddenInResponse(answer, to: command)
            )
        }
    }

    /// Why exchanges are missing from the file; nil while all are kept.
    var failure: FileError? { state.withLock { $0.writer.failure } }

    /// Why the trace is not kept, in one sentence; nil while all is.
    var trouble: String? {
        state.withLock { $0.writer.failure.map { "the trace is not kept: \($0)" } }
    }

    func end() {
        state.withLock {
            $0.writer.end(verdict: "ended")
            _ = $0.writer.finish()
        }
    }
}

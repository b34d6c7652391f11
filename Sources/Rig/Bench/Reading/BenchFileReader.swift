// SPDX-License-Identifier: MIT

import Scenario
import Wording

/// Reads the tree of a bench file; what is wrong goes to the context.
struct BenchFileReader {
    let context: ReadingContext
    let bench: TestBench

    private static let keys = [
        "bench", "name", "roles", "probes", "programs", "allow", "ledger", "limits",
    ]
    /// The version of the format that this reader knows.
    private static let version = "1"

    func read(_ entries: [YAMLNode.Entry], at position: SourcePosition) -> TestBench {
        var bench = bench
        checkVersion(entries, at: position)
        for entry in entries {
            switch entry.key {
            case "bench": break
            case "name":
                if let name = context.word(entry.value, "'name'") { bench.name = name }
            case "roles": bench.roles = roles(entry)
            case "probes": bench.probes = probes(entry)
            case "programs": bench.programs = programs(entry)
            case "allow": bench.allowed = allowed(entry)
            case "ledger":
                bench.ledgerPath = context.word(entry.value, "'ledger'").map {
                    ScenarioPlace.plain(ScenarioPlace.joined(bench.folder, $0))
                }
            case "limits":
                bench.limits = context.limits(entry, in: "the limits of a bench", keys: Self.limitKeys)
            default: context.unknownKey(entry, in: "a bench", known: Self.keys)
            }
        }
        if !entries.contains(where: { $0.key == "roles" }) {
            context.mistakes.add(
                position,
                "a bench needs 'roles'; write roles: {nbt: {reader: {serial: ...}}}"
            )
        }
        checkProbes(of: bench, in: entries)
        return bench
    }

    private func checkVersion(_ entries: [YAMLNode.Entry], at position: SourcePosition) {
        guard let entry = entries.first(where: { $0.key == "bench" }) else {
            let hint = entries.contains { $0.key == "rig" } ? "; 'rig: 1' starts a scenario" : ""
            context.mistakes.add(position, "a bench starts with 'bench: 1'\(hint)")
            return
        }
        guard let text = context.word(entry.value, "'bench'"), text != Self.version else { return }
        context.mistakes.add(
            entry.value.position,
            "the format 'bench: \(text)' is not known; this version reads 'bench: \(Self.version)'"
        )
    }

    // MARK: Roles

    private func roles(_ entry: YAMLNode.Entry) -> [BenchRole] {
        let reader = BenchRoleReader(context: context, programs: programs)
        let entries = context.mapping(entry, example: "nbt: {reader: {serial: RR554-0231}}") ?? []
        return entries.compactMap { reader.read($0) }
    }

    /// The keys of limits.
    static let limitKeys = ["apdu", "case", "teardown"]

    // MARK: Probes

    private func probes(_ entry: YAMLNode.Entry) -> [BenchProbe] {
        let entries = context.mapping(entry, example: "kit: {kind: cmsis-dap, serial: 1A2B}") ?? []
        return entries.compactMap { probe in
            guard let keys = context.mapping(probe, example: "kind: cmsis-dap, serial: 1A2B") else {
                return nil
            }
            var settings: [String: String] = [:]
            for key in keys { settings[key.key] = context.word(key.value, "'\(key.key)' of a probe") }
            guard keys.contains(where: { $0.key == "kind" }) else {
                context.mistakes.add(
                    probe.keyPosition,
                    "the probe '\(probe.key)' needs 'kind', for example cmsis-dap"
                )
                return nil
            }
            let read = BenchProbe(
                name: probe.key,
                kind: settings.removeValue(forKey: "kind") ?? "",
                serial: settings.removeValue(forKey: "serial"),
                board: settings.removeValue(forKey: "board"),
                settings: settings,
                position: probe.keyPosition
            )
            check(read, keys: keys)
            return read
        }
    }

    /// Holds the settings of a probe that is known against what they may be.
    private func check(_ probe: BenchProbe, keys: [YAMLNode.Entry]) {
        guard probe.kind == BenchProbe.debugProbe else { return }
        for key in keys where !BenchProbe.debugProbeKeys.contains(key.key) {
            context.unknownKey(key, in: "a probe of kind \(probe.kind)", known: BenchProbe.debugProbeKeys)
        }
        for (key, complaint) in probe.readKit().complaints {
            let place = keys.first { $0.key == key }
            context.mistakes.add(place?.value.position ?? probe.position, complaint)
        }
    }

    private func checkProbes(of bench: TestBench, in entries: [YAMLNode.Entry]) {
        // Probes with mistakes are not in the list, and count all the same.
        let named = entries.first { $0.key == "probes" }?.value.entries?.map(\.key) ?? []
        for role in bench.roles {
            guard let probe = role.probe, !named.contains(probe) else { continue }
            let hint = context.hint(probe, named)
            let list =
                named.isEmpty ? "; the bench names no probes" : "; there are \(named.joined(separator: ", "))"
            context.mistakes.add(
                role.position(of: "probe"),
                "there is no probe '\(probe)'\(hint == nil ? list : "")",
                hint: hint
            )
        }
    }

    // MARK: Programs

    /// `programs` of the bench or of a role.
    func programs(_ entry: YAMLNode.Entry) -> [ControlProgram] {
        let entries = context.mapping(entry, example: "kit.button: {exec: [./press.sh]}") ?? []
        let known = ControlProgram.Name.allCases.map(\.rawValue)
        return entries.compactMap { program in
            guard let name = ControlProgram.Name(rawValue: program.key) else {
                context.unknownKey(program, in: "'programs'", known: known)
                return nil
            }
            return self.program(name, program)
        }
    }

    private func program(_ name: ControlProgram.Name, _ entry: YAMLNode.Entry) -> ControlProgram? {
        guard let keys = context.mapping(entry, example: "exec: [./press.sh, 1], timeout: 5s") else {
            return nil
        }
        var words: [(text: String, node: YAMLNode)] = []
        var timeout: Duration?
        for key in keys {
            switch key.key {
            case "exec":
                // Words that a shell would part are not parted here.
                if let text = key.value.text, text.contains(" ") {
                    context.mistakes.add(
                        key.value.position,
                        "'exec' is a list, since no shell reads it; write exec: [\(commas(text))]"
                    )
                } else {
                    words = context.words(key)
                }
            case "timeout": timeout = context.duration(key, mayBeZero: false)
            default: context.unknownKey(key, in: "a program", known: ["exec", "timeout"])
            }
        }
        guard keys.contains(where: { $0.key == "exec" }) else {
            context.mistakes.add(entry.keyPosition, "the program '\(entry.key)' needs 'exec'")
            return nil
        }
        guard let first = words.first else { return nil }
        let path = ScenarioPlace.plain(ScenarioPlace.joined(bench.folder, first.text))
        if bench.mayStartPrograms, let complaint = ProgramFile.complaint(about: path, writtenAs: first.text) {
            context.mistakes.add(first.node.position, complaint)
        }
        return ControlProgram(
            name,
            path: path,
            arguments: words.dropFirst().map(\.text),
            timeout: timeout,
            folder: bench.folder,
            position: entry.keyPosition
        )
    }

    private func commas(_ text: String) -> String {
        text.split(separator: " ").joined(separator: ", ")
    }

    // MARK: Samples

    private func allowed(_ entry: YAMLNode.Entry) -> [String] {
        context.words(entry).compactMap { text, node in
            guard text.contains(where: { $0.isLetter || $0.isNumber }), !text.contains("*") else {
                context.mistakes.add(
                    node.position,
                    "'\(text)' is no serial or UID; each sample is named whole"
                )
                return nil
            }
            return text
        }
    }
}

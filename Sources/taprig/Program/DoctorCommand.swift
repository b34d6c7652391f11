// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Report

/// `taprig doctor`: what keeps this host from working with readers, and what to type.
enum DoctorCommand {
    static let spec = CommandSpec(
        path: ["doctor"],
        summary: "Looks for what keeps readers and cards from working, and says what to type.",
        discussion: """
            Looks at the PC/SC service, its readers, libccid's settings, USB devices and their permissions, kernel
            drivers, and the virtual reader's port. It changes nothing and starts nothing. Exit status: 0 all well
            (notes may be there), 3 trouble found.
            """,
        options: [SharedOptions.json],
        examples: ["taprig doctor", "taprig doctor --json"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let findings = findings(on: .current())
        let columns = StandardStream.output.columns
        StandardStream.output.write(
            command.flag("--json")
                ? json(findings).prettyText : TerminalText.harmless(text(findings, columns: columns))
        )
        return hasTrouble(findings) ? .rig : .held
    }

    /// Everything that there is to say about a host, in the order of areas.
    static func findings(on host: HostView) -> [DoctorFinding] {
        DoctorServiceChecks.service(host) + DoctorServiceChecks.readers(host)
            + DoctorDriverChecks.driver(host)
            + DoctorUSBChecks.usb(host) + DoctorProbeChecks.probes(host)
            + DoctorDriverChecks.virtualReader(host)
            + DoctorUSBChecks.container(host)
    }

    static func hasTrouble(_ findings: [DoctorFinding]) -> Bool {
        findings.contains { $0.level == .trouble }
    }

    /// Areas about which there is nothing to say.
    private static func wellAreas(_ findings: [DoctorFinding]) -> [DoctorFinding.Area] {
        let silent = DoctorFinding.Area.allCases.filter { area in !findings.contains { $0.area == area } }
        // Without the service nobody can tell of readers.
        let isServed = !findings.contains { $0.area == .service && $0.level == .trouble }
        return silent.filter { isServed || $0 != .readers }
    }

    /// The document of `doctor --json`.
    static func json(_ findings: [DoctorFinding]) -> JSON {
        .object([
            "verdict": .string(hasTrouble(findings) ? "trouble" : "well"),
            "findings": .array(findings.map(\.json)),
            "well": .array(wellAreas(findings).map { .string($0.rawValue) }),
        ])
    }

    /// The same for people.
    ///
    /// - Parameters:
    ///   - findings: What was found.
    ///   - columns: The width of the terminal, nil where lines stay whole. What is to be typed is never broken.
    /// - Returns: Lines, each finding with what to type about it.
    static func text(_ findings: [DoctorFinding], columns: Int? = nil) -> String {
        var out = ""
        for area in DoctorFinding.Area.allCases {
            for finding in findings where finding.area == area {
                let line = "\(column(finding.level.rawValue, 8)) \(column(area.rawValue, 15))\(finding.what)"
                let pieces = columns.map { TextWrap.wrapped(line, columns: $0, indent: 24) } ?? [line]
                out += pieces.joined(separator: "\n") + "\n"
                for remedy in finding.remedies {
                    for (index, line) in remedy.split(separator: "\n", omittingEmptySubsequences: false)
                        .enumerated()
                    {
                        // The lines of a file stand at the edge, so that they can be copied as they are.
                        out += (index == 0 ? "         > " : "") + line + "\n"
                    }
                }
            }
            if wellAreas(findings).contains(area) { out += "\(column("ok", 8)) \(area.rawValue)\n" }
        }
        let count = findings.count { $0.level == .trouble }
        switch count {
        case 0: out += "all well\n"
        case 1: out += "one trouble found\n"
        default: out += "\(count) troubles found\n"
        }
        return out
    }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

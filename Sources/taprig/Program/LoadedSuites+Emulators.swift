// SPDX-License-Identifier: MIT

import CardConnection
import Routes
import Scenario

extension LoadedSuites {
    /// Takes out the suites whose emulator cannot be made, and tells why: the file of a card is an input as well.
    ///
    /// - Parameters:
    ///   - firmware: Firmware of the command line.
    ///   - options: Options of the command line; they win over the suite's.
    mutating func refuseEmulators(firmware: String?, options: [String: String]) {
        refuse(firmware: firmware, options: options) { _ in true }
    }

    /// The same for a check without a run, where a suite may still get its card from elsewhere.
    mutating func refuseCards() {
        refuse(firmware: nil, options: [:]) { !$0.isEmpty }
    }

    private mutating func refuse(
        firmware: String?,
        options: [String: String],
        where isJudged: ([String: String]) -> Bool
    ) {
        var kept: [Suite] = []
        for suite in suites {
            let mistakes = Self.mistakes(
                of: suite,
                firmware: firmware,
                options: options,
                where: isJudged
            )
            guard !mistakes.isEmpty else {
                kept.append(suite)
                continue
            }
            broken.append(BrokenSuite(file: suite.file, suiteName: suite.name, mistakes: mistakes))
            self.mistakes += mistakes.map { suite.asGiven($0) }
        }
        suites = kept
    }

    private static func mistakes(
        of suite: Suite,
        firmware: String?,
        options: [String: String],
        where isJudged: ([String: String]) -> Bool
    ) -> [ScenarioMistake] {
        guard EmulatorCatalog.targets.contains(suite.target) else { return [] }
        let names = Set(EmulatorCatalog.options(of: suite.target).map(\.name))
        let common = suite.options.merging(options) { _, given in given }.filter { names.contains($0.key) }
        var seen: Set<[String: String]> = []
        var out: [ScenarioMistake] = []
        var hasPlain = false
        for testCase in suite.cases {
            for row in testCase.rows {
                // Most cases have no matrix, and all of those have the same emulator.
                if row.values.isEmpty {
                    if hasPlain { continue }
                    hasPlain = true
                }
                var chosen = common
                for cell in row.values where names.contains(cell.key) { chosen[cell.key] = cell.text }
                let version =
                    row.values.first { $0.key == "firmware" }?.text ?? firmware ?? suite.options["firmware"]
                // What the case leaves out for its firmware needs no emulator.
                guard needsHold(suite.needs + testCase.needs, firmware: version) else { continue }
                guard seen.insert(chosen.merging(["firmware": version ?? ""]) { $1 }).inserted,
                    isJudged(chosen)
                else { continue }
                guard let error = trouble(suite.target, firmware: version, options: chosen) else { continue }
                // The mistake is that of the option without which it is another one, or none.
                let own = suite.optionPlaces.filter { chosen[$0.key] == suite.options[$0.key] }
                let culprit = own.sorted {
                    ($0.value.line, $0.value.column) < ($1.value.line, $1.value.column)
                }.first { option in
                    let others = chosen.filter { $0.key != option.key }
                    return trouble(suite.target, firmware: version, options: others) != error
                }
                let place = row.values.isEmpty ? suite.position : testCase.position
                out.append(ScenarioMistake(culprit?.value ?? place, "\(error)"))
            }
        }
        return out
    }

    /// Why an emulator cannot be made; nil when it can.
    private static func trouble(
        _ target: String,
        firmware: String?,
        options: [String: String]
    ) -> EmulatorOptionError? {
        do throws(EmulatorOptionError) {
            _ = try EmulatorCatalog.make(
                target: target,
                firmware: firmware,
                options: options,
                seed: 0,
                clock: ModelClock()
            )
            return nil
        } catch {
            return error
        }
    }

    /// Whether a firmware is one that a case runs on; true when it is not named.
    private static func needsHold(_ needs: [Need], firmware: String?) -> Bool {
        guard let firmware, let known = try? FirmwareVersion(firmware) else { return true }
        return needs.allSatisfy { need in
            guard case .firmware(let comparison, let text) = need.kind, let bound = try? FirmwareVersion(text)
            else { return true }
            return known.holds(comparison, bound)
        }
    }
}

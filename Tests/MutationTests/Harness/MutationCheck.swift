// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Routes
import RunRecord
import Runner
import Scenario

/// Runs shipped scenarios on mutants, in process, and tells which scenario notices which fault.
final class MutationCheck {
    /// Who noticed a fault.
    struct Killer: Sendable {
        let file: String
        let testCase: String
        let message: String
    }

    /// Why a check cannot be done.
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: String
    private let output: String
    private var suites: [String: [Suite]] = [:]

    /// Takes the shipped scenarios of a folder, for example `tangem`.
    init(folder: String) throws {
        self.folder =
            URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scenarios/\(folder)").path
        output =
            FileManager.default.temporaryDirectory.appendingPathComponent("mutants-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: output)
    }

    /// All scenario files of the folder.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
    }

    /// Looks for a case that fails on a mutant.
    ///
    /// What the rig could not judge notices nothing: the case must have failed.
    ///
    /// - Parameter mutant: The fault; nil for the device as it is.
    /// - Returns: The first case that failed; nil when the fault survives.
    /// - Throws: ``Trouble`` when a file cannot be run.
    func killer(of mutant: Mutant?) throws -> Killer? {
        for file in try mutant?.files ?? files() {
            var record = try run(file, mutant, failsFast: mutant != nil)
            if firstFailure(record) == nil,
                record.suites.flatMap(\.cases).contains(where: { $0.verdict == .error })
            {
                record = try run(file, mutant, failsFast: false)
            }
            if let failed = firstFailure(record) {
                return Killer(file: file, testCase: failed.name, message: failed.problem?.message ?? "")
            }
        }
        return nil
    }

    /// The cases that did not pass on the device as it is, with their reasons.
    func complaints() throws -> [String] {
        try files().flatMap { file in
            try run(file, nil, failsFast: false).suites.flatMap(\.cases).filter { $0.verdict != .passed }.map
            {
                "\(file): \($0.name): \($0.problem?.message ?? "\($0.verdict)")"
            }
        }
    }

    private func firstFailure(_ record: RunRecord) -> CaseRecord? {
        record.suites.flatMap(\.cases).first { $0.verdict == .failed }
    }

    private func run(_ file: String, _ mutant: Mutant?, failsFast: Bool) throws -> RunRecord {
        var options = RunOptions(outputFolder: output, rigVersion: "0.0.0", hostName: "host")
        options.seed = 42
        options.failsFast = failsFast
        for target in EmulatorCatalog.targets {
            options.emulatorOptionNames[target] = Set(EmulatorCatalog.options(of: target).map(\.name))
        }
        let plan = RunPlan(suites: try load(file), options: options)
        return Runner(options: options, route: MutantRoute(mutant)).run(plan)
    }

    private func load(_ file: String) throws -> [Suite] {
        if let known = suites[file] { return known }
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: ["\(folder)/\(file)"])
        guard loaded.mistakes.isEmpty, !loaded.suites.isEmpty else {
            throw Trouble(
                description:
                    "\(file) cannot be run: \(loaded.mistakes.map(\.description).joined(separator: "; "))"
            )
        }
        suites[file] = loaded.suites
        return loaded.suites
    }
}

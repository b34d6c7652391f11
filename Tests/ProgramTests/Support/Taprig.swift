// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// The program under test.
enum Taprig {
    /// The binary that was built beside the test bundle.
    static let path = Bundle.module.bundleURL.deletingLastPathComponent().appendingPathComponent("taprig")
        .path

    /// A path among the fixtures.
    static func fixture(_ name: String) -> String {
        (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appendingPathComponent("Fixtures/\(name)").path
    }

    /// Starts the program.
    static func start(
        _ arguments: [String],
        in folder: String? = nil,
        environment: [String: String] = [:],
        input: String = "",
        output: ChildProcess.Output = .kept
    ) throws -> ChildProcess {
        try ChildProcess(
            path,
            arguments,
            in: folder,
            environment: environment,
            input: input,
            output: output
        )
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: String...,
        in folder: String? = nil,
        environment: [String: String] = [:],
        input: String = "",
        limit: Duration = .seconds(60)
    ) throws -> ChildProcess.Ending {
        try start(arguments, in: folder, environment: environment, input: input).wait(limit: limit)
    }

    /// An environment in which no PC/SC service can be reached.
    static let withoutService = ["PCSCLITE_CSOCK_NAME": "/nonexistent/pcscd.comm"]
}

extension ChildProcess.Ending {
    /// The one JSON document on standard output.
    func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
        do {
            return try JSON(parsing: Array(output.utf8))
        } catch {
            Issue.record("no JSON document: \(error): \(output.prefix(300))", sourceLocation: sourceLocation)
            throw error
        }
    }

    /// Output and complaints as one text, for messages and searches.
    var everything: String { output + errors }

    /// The one sentence that the program complains with; nil when there are more or fewer lines.
    var sentence: String? {
        let lines = errors.split(separator: "\n")
        return lines.count == 1 ? String(lines[0]) : nil
    }
}

extension JSON {
    /// A value on a path of keys and indexes, such as `suites.0.cases.1.verdict`.
    func at(_ path: String) -> JSON? {
        var value: JSON? = self
        for part in path.split(separator: ".") {
            if let index = Int(part) {
                let elements = value?.array ?? []
                value = elements.indices.contains(index) ? elements[index] : nil
            } else {
                value = value?[String(part)]
            }
        }
        return value
    }

    /// The keys of an object, in order.
    var keys: [String] { members?.map(\.key) ?? [] }
}

// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import RunRecord
import Testing

@testable import Report

/// The fixtures of this target.
enum Fixture {
    static func path(_ name: String) throws -> String {
        try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(name)").path
    }

    static func json(_ name: String) throws -> JSON {
        try JSON(parsing: [UInt8](try Data(contentsOf: URL(fileURLWithPath: try path(name)))))
    }

    /// Compares a text with a recorded one.
    static func expect(_ text: String, equals name: String, _ location: SourceLocation = #_sourceLocation)
        throws
    {
        if let folder = ProcessInfo.processInfo.environment["TAPRIG_RECORD"] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let recorded = try? String(contentsOfFile: try path(name), encoding: .utf8)
        #expect(text == recorded, sourceLocation: location)
    }
}

/// A report in a file, looked at by xmllint.
final class ReportFile {
    let path: String

    init(_ text: String) throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("junit-\(UUID().uuidString).xml")
            .path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    convenience init(_ run: RunRecord, options: JUnitOptions = JUnitOptions(runFolder: "Reports/latest"))
        throws
    {
        try self.init(JUnitWriter(options: options).text(run))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What is wrong with the report by a schema; empty when nothing is.
    func complaints(schema: String = "junit-rich.xsd") throws -> String {
        let result = try Self.lint(["--noout", "--schema", try Fixture.path(schema), path])
        return result.status == 0 ? "" : result.errors
    }

    /// The value of an XPath expression.
    func value(_ expression: String) throws -> String {
        let result = try Self.lint(["--xpath", expression, path])
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// What is wrong with the nesting; empty when nothing is.
    func nestingComplaints() throws -> String {
        let result = try Self.lint(["--noout", path])
        return result.status == 0 ? "" : result.errors
    }

    private static func lint(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String)
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xmllint", "--huge"] + arguments
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lint-\(UUID().uuidString).txt"
        )
        defer { try? FileManager.default.removeItem(at: errors) }
        try Data().write(to: errors)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = try String(contentsOf: errors, encoding: .utf8)
        // 127: the program is missing; the package is libxml2-utils.
        #expect(process.terminationStatus != 127, "xmllint is not installed")
        return (process.terminationStatus, String(decoding: data, as: UTF8.self), text)
    }
}

extension ReportFile {
    /// A report that was read as bytes.
    convenience init(_ bytes: [UInt8]) throws {
        try self.init(String(decoding: bytes, as: UTF8.self))
    }
}

/// A folder that goes away with its test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file of the folder, and the folders above it.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }
}

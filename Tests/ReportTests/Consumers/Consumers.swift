// SPDX-License-Identifier: MIT

import Foundation

/// What a reader of JUnit reports makes of a case.
struct ReadCase: Equatable {
    var suite = ""
    var name = ""
    var status = ""
    var message = ""
    var body = ""
    var place = ""
    var output = ""
    var extras: [String] = []
    /// The word of the failure's or error's type, where it is shown.
    var type = ""
    /// When the case began, where it is shown.
    var stamp = ""
    /// Properties of the case and of its suite, `name=value`, where they are shown.
    var properties: [String] = []
    var suiteProperties: [String] = []
}

/// Nine readers of JUnit reports, each reduced to its rules for what it takes from where.
///
/// Source: what the public code and documentation of each of them says; none of their code.
enum Consumer: String, CaseIterable {
    case jenkins
    case gitlab
    case mikepenz
    case dorny
    case enricoMi
    case azure
    case allure
    case junitparser
    case junit2html

    /// The cases that it shows.
    func read(_ root: XMLNode) -> [ReadCase] {
        switch self {
        case .jenkins: suites(root).flatMap { suite in suite.all("testcase").map { jenkins($0, in: suite) } }
        case .gitlab: suites(root).flatMap { suite in suite.all("testcase").compactMap { gitlab($0) } }
        case .mikepenz:
            suites(root).flatMap { suite in suite.all("testcase").map { mikepenz($0, in: suite) } }
        case .dorny:
            root.all("testsuite").flatMap { suite in suite.all("testcase").compactMap { dorny($0, in: suite) }
            }
        case .enricoMi:
            suites(root).flatMap { suite in suite.all("testcase").map { enricoMi($0, in: suite) } }
        case .azure:
            suites(root).flatMap { suite in suite.all("testcase").compactMap { azure($0, in: suite) } }
        case .allure:
            root.all("testsuite").flatMap { suite in suite.all("testcase").map { allure($0, in: suite) } }
        case .junitparser:
            suites(root).flatMap { suite in suite.all("testcase").map { junitparser($0, in: suite) } }
        case .junit2html:
            root.all("testsuite").flatMap { suite in suite.all("testcase").map { junit2html($0, in: suite) } }
        }
    }

    private func suites(_ root: XMLNode) -> [XMLNode] { root.deep("testsuite") }

    /// The properties of an element, `name=value`.
    private func properties(_ node: XMLNode) -> [String] {
        (node.first("properties")?.all("property") ?? []).map {
            "\($0.attributes["name"] ?? "")=\($0.attributes["value"] ?? "")"
        }
    }

    private func trimmed(_ text: String?) -> String {
        (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Takes `error` before `failure`, cuts output of a pass to 1 000 characters, sets a package before the name.
    private func jenkins(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let problem = item.first("error") ?? item.first("failure")
        let skipped = item.first("skipped")
        let package = suite.attributes["package"].map { "\($0)." } ?? ""
        let output = item.first("system-out")?.text ?? ""
        let limit = problem == nil ? 1000 : 100_000
        let half = limit / 2
        return ReadCase(
            suite: package + (item.attributes["classname"] ?? suite.attributes["name"] ?? ""),
            name: item.attributes["name"] ?? "",
            status: problem != nil ? "failed" : skipped != nil ? "skipped" : "passed",
            message: (problem ?? skipped)?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            output: output.count > limit ? "\(output.prefix(half))...\(output.suffix(half))" : output,
            extras: item.children.map(\.name).filter { ["flakyFailure", "rerunFailure"].contains($0) },
            // A zone is set behind a stamp that has none.
            stamp: item.attributes["timestamp"] ?? "",
            // With the option to keep them.
            properties: properties(item),
            suiteProperties: properties(suite)
        )
    }

    /// Works on the print of a hash: an element with text loses its attributes, two of a name become a list, and words
    /// of a type attribute change what the text is.
    private func gitlab(_ item: XMLNode) -> ReadCase? {
        let types = [
            "yaml", "symbol", "array", "file", "integer", "float", "decimal", "boolean", "date", "datetime",
            "dateTime", "string", "base64Binary", "hexBinary", "binary", "duration",
        ]
        for node in item.deep(item.name).flatMap(\.children) {
            // The whole report is lost.
            if let type = node.attributes["type"], types.contains(type) { return nil }
        }
        for name in ["failure", "error", "skipped", "system-out", "system-err"] where item.all(name).count > 1
        {
            return nil
        }
        func value(_ name: String) -> String? {
            guard let node = item.first(name) else { return nil }
            return node.text.isEmpty ? "\(node.attributes)" : node.text
        }
        let (status, text) =
            value("failure").map { ("failed", $0) } ?? value("error").map { ("error", $0) }
            ?? value("skipped").map { ("skipped", $0) } ?? ("success", "")
        let output = item.first("system-out")?.text ?? ""
        let link = output.firstMatch(of: /\[\[ATTACHMENT\|(.+?)\]\]/).map { String($0.1) }
        return ReadCase(
            suite: item.attributes["classname"] ?? "",
            name: item.attributes["name"] ?? "",
            status: status,
            body: text,
            place: item.attributes["file"] ?? "",
            extras: status == "failed" || status == "error" ? [link ?? ""] : []
        )
    }

    /// Marks places: of the case, else of the failure, else of the suite; counts flaky ones.
    private func mikepenz(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let problem = item.first("failure") ?? item.first("error")
        let nodes = [item, problem, suite].compactMap { $0 }
        let file = nodes.lazy.compactMap { $0.attributes["file"] }.first ?? ""
        let line = nodes.lazy.compactMap { $0.attributes["line"] }.first ?? ""
        return ReadCase(
            name: item.attributes["name"] ?? "",
            status: problem != nil ? "failure" : item.first("skipped") != nil ? "skipped" : "success",
            message: problem?.attributes["message"] ?? "",
            body: trimmed(problem?.text),
            place: "\(file):\(line)",
            extras: item.all("flakyFailure").map(\.name)
        )
    }

    /// Groups by class where it differs from the suite; trims names, and stops where there is none.
    private func dorny(_ item: XMLNode, in suite: XMLNode) -> ReadCase? {
        guard let name = item.attributes["name"], let suiteName = suite.attributes["name"],
            Double(item.attributes["time"] ?? "") != nil
        else { return nil }
        let problem = item.first("failure") ?? item.first("error")
        let className = item.attributes["classname"] ?? suiteName
        return ReadCase(
            suite: className == suiteName ? suiteName : "\(suiteName)/\(className)",
            name: trimmed(name),
            status: problem != nil ? "failed" : item.first("skipped") != nil ? "skipped" : "success",
            message: problem?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            type: problem?.attributes["type"] ?? ""
        )
    }

    private func enricoMi(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let problem = item.first("error") ?? item.first("failure") ?? item.first("skipped")
        return ReadCase(
            suite: item.attributes["classname"] ?? "",
            name: item.attributes["name"] ?? "",
            status: problem.map { $0.name } ?? "success",
            message: problem?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            place: "\(item.attributes["file"] ?? ""):\(item.attributes["line"] ?? "")",
            output: item.first("system-out")?.text ?? ""
        )
    }

    /// Drops a case without a name and one whose time is no plain number; keeps output of failed cases only.
    private func azure(_ item: XMLNode, in suite: XMLNode) -> ReadCase? {
        guard let name = item.attributes["name"], !name.isEmpty,
            let time = Double(item.attributes["time"] ?? "0"), time.isFinite, time >= 0, time < 9.2e11
        else { return nil }
        let problem = item.first("failure") ?? item.first("error")
        let skipped = item.first("skipped")
        return ReadCase(
            suite: item.attributes["classname"] ?? suite.attributes["name"] ?? "",
            name: name,
            status: problem != nil ? "Failed" : skipped != nil ? "NotExecuted" : "Passed",
            message: (problem ?? skipped)?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            output: problem == nil ? "" : item.first("system-out")?.text ?? ""
        )
    }

    /// Every line of output is a step; retries are the rerun elements; properties are parameters.
    private func allure(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let problem = item.first("failure") ?? item.first("error")
        let status = item.first("failure") != nil ? "failed" : problem != nil ? "broken" : nil
        return ReadCase(
            suite: suite.attributes["name"] ?? "",
            name: item.attributes["name"] ?? "",
            status: status ?? (item.first("skipped") != nil ? "skipped" : "passed"),
            message: (problem ?? item.first("skipped"))?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            output: (item.first("system-out")?.text ?? "").split(separator: "\n").joined(separator: "|"),
            extras: item.all("rerunFailure").map(\.name) + item.all("rerunError").map(\.name),
            properties: properties(item)
        )
    }

    private func junitparser(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let results = item.children.filter { ["failure", "error", "skipped"].contains($0.name) }
        return ReadCase(
            suite: item.attributes["classname"] ?? "",
            name: item.attributes["name"] ?? "",
            status: results.isEmpty ? "passed" : results.map(\.name).joined(separator: "+"),
            message: results.first?.attributes["message"] ?? "",
            body: results.first?.text ?? "",
            output: item.first("system-out")?.text ?? "",
            extras: item.children.map(\.name).filter { $0.hasPrefix("flaky") || $0.hasPrefix("rerun") },
            type: results.first?.attributes["type"] ?? "",
            properties: properties(item),
            suiteProperties: properties(suite)
        )
    }

    private func junit2html(_ item: XMLNode, in suite: XMLNode) -> ReadCase {
        let problem = item.first("failure") ?? item.first("error") ?? item.first("skipped")
        return ReadCase(
            suite: item.attributes["classname"] ?? "no-classname",
            name: item.attributes["name"] ?? "",
            status: problem.map { $0.name } ?? "passed",
            message: problem?.attributes["message"] ?? "",
            body: problem?.text ?? "",
            output: item.first("system-out")?.text ?? "",
            properties: properties(item),
            suiteProperties: properties(suite)
        )
    }
}

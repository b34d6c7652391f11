// SPDX-License-Identifier: MIT

import Cryptography
import ForeignScript
import HostSystem
import SmartCard

extension LoadedSuites {
    /// Adds the script or log of another tool as a suite of one case.
    ///
    /// Its commands are sent as they are, with response following off, since such scripts fetch responses themselves;
    /// where the source tells the answers, they are what is expected.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - target: The device that it is for; scripts name none.
    public mutating func add(foreign path: String, target: String) {
        let start = SourcePosition(file: path, line: 1, column: 1)
        do {
            let bytes = try HostFile.read(path, limit: ForeignScript.sizeLimit)
            let script = try ForeignScript.read(bytes, name: path)
            let digest = SHA256.digest(bytes).hex.lowercased()
            notes += script.notes.map { note in
                note.line > 0 ? "\(path):\(note.line):1: \(note.text)" : "\(path): \(note.text)"
            }
            suites.append(Suite(foreign: script, path: path, target: target, sha256: digest))
        } catch let error as ForeignScriptError {
            let position = SourcePosition(file: path, line: max(1, error.line), column: error.column)
            addBroken(path, ScenarioMistake(position, error.message))
        } catch {
            addBroken(path, ScenarioMistake(start, "\(error)"))
        }
    }

    private mutating func addBroken(_ path: String, _ mistake: ScenarioMistake) {
        broken.append(BrokenSuite(file: path, suiteName: Suite.foreignName(path), mistakes: [mistake]))
        mistakes.append(mistake)
    }
}

extension Suite {
    /// A dotted name for a file of another tool: `script.tag` for `cards/tag.scr`.
    static func foreignName(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let stem = file.prefix { $0 != "." }
        let word = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0).lowercased() : "-" }
            .joined()
        return "script.\(word.isEmpty ? "file" : word)"
    }

    init(foreign script: ForeignScript, path: String, target: String, sha256: String) {
        let start = SourcePosition(file: path, line: 1, column: 1)
        self.init(name: Self.foreignName(path), target: target, file: path, position: start, sha256: sha256)
        title = "\(script.format.rawValue) script"
        isRaw = true
        var steps: [Step] = []
        for action in script.actions {
            if let step = Step(foreign: action, path: path, isFirst: steps.isEmpty) { steps.append(step) }
        }
        cases = [TestCase(name: "the script runs", position: start, steps: steps)]
    }
}

extension Step {
    /// The step of an action; nil for what a case does by itself.
    fileprivate init?(foreign action: ForeignScript.Action, path: String, isFirst: Bool) {
        let position = SourcePosition(file: path, line: action.line, column: 1)
        switch action.kind {
        case .disconnect: return nil
        case .reset, .connect:
            // A case begins on a freshly connected card.
            guard !isFirst else { return nil }
            self.init(
                .verb(VerbSpec("reset", "Resets the card.", exchanges: false), arguments: [:]),
                at: position
            )
        case .command(let bytes, let answer):
            self.init(
                .verb(VerbSpec("send", "Sends a command APDU."), arguments: ["apdu": .value(.bytes(bytes))]),
                at: position
            )
            expectation = .foreign(answer: answer, at: position)
        }
    }
}

extension Expectation {
    /// The answer that the source tells; where it tells none, any answer will do, for such scripts judge nothing.
    fileprivate static func foreign(answer: [UInt8]?, at position: SourcePosition) -> Expectation? {
        func node(_ content: YAMLNode.Content) -> YAMLNode { YAMLNode(content, at: position) }
        func entry(_ key: String, _ text: String) -> YAMLNode.Entry {
            YAMLNode.Entry(key: key, keyPosition: position, value: node(.scalar(text, isQuoted: true)))
        }
        var entries: [YAMLNode.Entry] = []
        if let answer, answer.count >= 2 {
            entries.append(entry("sw", answer.suffix(2).hex))
            if answer.count > 2 { entries.append(entry("data", answer.dropLast(2).hex)) }
        } else {
            entries.append(entry("sw", "xxxx"))
        }
        let vocabulary = Vocabulary(
            verbs: [],
            dictionaries: [],
            capabilities: [],
            faults: [],
            errorTypes: [],
            emulatorOptions: [:]
        )
        let context = ReadingContext(vocabulary: vocabulary, target: "", mistakes: MistakeCollector())
        return read(node(.mapping(entries)), verb: VerbSpec("send", "Sends a command APDU."), in: context)
    }
}

// SPDX-License-Identifier: MIT

import HostSystem
public import Scenario

extension TestBench {
    /// Reads and checks a bench file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isNamedOnCommandLine: Whether the command line named it, so that its programs may start.
    /// - Returns: The bench, nil when anything is wrong; and all mistakes in the order of the file.
    public static func read(
        _ path: String,
        isNamedOnCommandLine: Bool
    ) -> (bench: TestBench?, mistakes: [ScenarioMistake]) {
        let bytes: [UInt8]
        do {
            bytes = try HostFile.read(path, limit: YAMLFile.largestFile)
        } catch {
            let start = SourcePosition(file: path, line: 1, column: 1)
            return (nil, [ScenarioMistake(start, "cannot read the file: \(error.reason)")])
        }
        let folder = HostFile.resolved(ScenarioPlace.parent(of: path)) ?? ScenarioPlace.parent(of: path)
        return read(bytes, file: path, folder: folder, isNamedOnCommandLine: isNamedOnCommandLine)
    }

    /// Reads and checks the text of a bench file.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - file: The file as it is shown to people.
    ///   - folder: The folder from which relative paths count.
    ///   - isNamedOnCommandLine: Whether the command line named it, so that its programs may start.
    /// - Returns: The bench, nil when anything is wrong; and all mistakes in the order of the file.
    public static func read(
        _ bytes: [UInt8],
        file: String,
        folder: String,
        isNamedOnCommandLine: Bool
    ) -> (bench: TestBench?, mistakes: [ScenarioMistake]) {
        let outcome = YAMLFile.read(bytes, file: file, opening: "a bench starts with 'bench: 1'") {
            root,
            context -> TestBench? in
            guard let entries = root.entries else {
                context.mistakes.add(
                    root.position,
                    "a bench is a mapping that starts with 'bench: 1', not \(root.kindName)"
                )
                return nil
            }
            let empty = TestBench(
                name: plainName(of: file),
                file: file,
                folder: folder,
                mayStartPrograms: isNamedOnCommandLine
            )
            return BenchFileReader(context: context, bench: empty).read(entries, at: root.position)
        }
        return (outcome.mistakes.isEmpty ? outcome.value : nil, outcome.mistakes)
    }

    /// The file's name without folder and ending.
    private static func plainName(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.hasSuffix(".yaml") ? String(name.dropLast(".yaml".count)) : name
    }
}

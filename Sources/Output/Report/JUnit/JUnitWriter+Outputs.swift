// SPDX-License-Identifier: MIT

public import HostSystem
public import RunRecord

extension JUnitWriter {
    /// The most bytes of a suite's output: Allure shows the whole file with each of the suite's cases.
    private static let outputLimit = 256 * 1024

    /// Writes what the cases of each suite said into `<class name>.txt`: Allure takes a file of that name beside the
    /// XML for the output of the class.
    ///
    /// Suites without output get no file, and neither do those whose name Allure does not look for.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - folder: The folder of the JUnit file.
    /// - Throws: ``FileError`` when a file cannot be written; those before it stay.
    public func writeOutputs(_ run: RunRecord, folder: String) throws(FileError) {
        let body = JUnitCaseText(options: options, failingLimit: options.failingLimit)
        var names = CaseNames()
        var order: [String] = []
        var outputs: [String: String] = [:]
        for suite in run.suites {
            let className = CaseNames.clean(suite.name, fallback: "unnamed-suite")
            if outputs[className] == nil { order.append(className) }
            var text = outputs[className] ?? ""
            for item in suite.cases {
                let name = names.unique(item.name, in: className)
                guard text.utf8.count < Self.outputLimit else { continue }
                text += body.plainOutput(of: item, named: name)
                if text.utf8.count >= Self.outputLimit { text += "cut, all of it in run.json\n" }
            }
            outputs[className] = text
        }
        for className in order where Self.isLookedFor(className) {
            guard let text = outputs[className], !text.isEmpty else { continue }
            let path = folder.isEmpty || folder.hasSuffix("/") ? folder : "\(folder)/"
            try DraftFile.write("\(path)\(className).txt") { (draft) throws(FileError) in
                try draft.write(Array(text.utf8))
            }
        }
    }

    /// The names of the files that ``writeOutputs(_:folder:)`` writes of a run.
    public static func outputNames(of run: RunRecord) -> [String] {
        run.suites.map { CaseNames.clean($0.name, fallback: "unnamed-suite") }.filter(isLookedFor).map {
            "\($0).txt"
        }
    }

    /// Whether Allure looks for the file of a class: 1 to 100 letters, digits, dots, underlines and minuses.
    private static func isLookedFor(_ className: String) -> Bool {
        (1...100).contains(className.utf8.count)
            && className.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
                default: false
                }
            }
            && className != "." && className != ".."
    }
}

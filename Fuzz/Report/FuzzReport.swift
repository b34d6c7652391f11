// SPDX-License-Identifier: MIT

import FuzzInput
import JSONText
import Report
import RunRecord

/// Reports of any `run.json`: JUnit in every dialect is well-formed XML, and pages are written whatever the names are.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    guard let record = attempt({ try RunRecord(json: bytes) }) else { return 0 }
    for flavor in JUnitFlavor.allCases {
        let text = JUnitWriter(options: JUnitOptions(runFolder: "run", flavor: flavor)).text(record)
        if let mistake = XMLCheck.mistake(in: Array(text.utf8)) {
            preconditionFailure("the JUnit report is no XML: \(mistake)")
        }
    }
    precondition(!HTMLWriter().text(record).isEmpty, "an empty page")
    precondition(!MarkdownWriter().text(record).isEmpty, "an empty summary")
    return 0
}

// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import JSONText
import RunRecord

/// JSON and the files that are made of it: a document comes back from its text, a card or a run reads or is refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    guard let document = attempt({ try JSON(parsing: bytes) }) else { return 0 }
    precondition(attempt { try JSON(parsing: document.text) } == document, "a document does not come back")
    precondition(attempt { try JSON(parsing: document.prettyText) } == document, "the indented text differs")
    if let card = attempt({ try ScriptedCard(json: bytes, name: "input") }) {
        card.powerOn()
        _ = card.respond(to: [0x00, 0xB0, 0x00, 0x00, 0x00])
    }
    if let record = attempt({ try RunRecord(json: document) }) {
        let text = record.json.text
        let again = attempt { try RunRecord(json: Array(text.utf8)) }
        precondition(again?.json.text == text, "a run does not come back")
    }
    return 0
}

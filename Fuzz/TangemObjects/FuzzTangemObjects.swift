// SPDX-License-Identifier: MIT

import FuzzInput
import SmartCard
import TangemConstants

@testable import Tangem
@testable import TangemEmulator

/// Data objects of the wallet card: host and card, who share no code, read the same bytes in the same way.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    let objects = attempt { try CardObjects(parsing: bytes) }
    let fields = CommandFields(bytes)
    if let objects {
        guard let fields else { preconditionFailure("the card cannot read what the host can") }
        for tag in Set(objects.items.map(\.tag)) {
            precondition(objects[tag] == fields[tag], "two values of one object")
            precondition(objects.values(tag) == fields.all(tag), "two lists of one kind of object")
        }
        let again = attempt { try CardObjects(parsing: objects.bytes) }
        precondition(again == objects, "objects do not come back")
        readValues(of: objects)
    } else if fields != nil {
        // Only the host minds a tag that no card uses; so one of the card's reading is that tag.
        precondition(fields?[TangemTag(rawValue: 0)] != nil, "the host cannot read what the card can")
    }
    attempt { try NamedFile(bytes) }
    attempt { try SLIXMemory(bytes) }
    attempt { try DerivationPath(value: bytes) }
    return 0
}

private func readValues(of objects: CardObjects) {
    for tag in Set(objects.items.map(\.tag)) {
        attempt { try objects.number(tag) }
        attempt { try objects.text(tag) }
        attempt { try objects.date(tag) }
        attempt { try objects.curve(tag) }
        attempt { try objects.settings(tag) }
        attempt { try objects.list(tag) }
    }
    for asked in [false, true] {
        guard let card = attempt({ try CardRecord(objects, askedAsTerminal: asked) }) else { continue }
        _ = "\(card.id) \(card.firmware)"
        attempt { try WalletRecord(objects, usualCurve: card.curve) }
    }
    attempt { try WalletRecord(objects, usualCurve: nil) }
}

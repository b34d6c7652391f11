// SPDX-License-Identifier: MIT

import FuzzInput
import Routes
import Scenario

/// The canonical form of scenario files: it is its own form, and lints as the file did.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    let formatter = ScenarioFormatter(vocabulary: .shipped)
    guard case .formatted(let text) = formatter.format(bytes, path: file.path), text != bytes else {
        return 0
    }
    guard case .formatted(let again) = formatter.format(text, path: file.path) else {
        preconditionFailure("the canonical form is refused")
    }
    precondition(again == text, "the canonical form is not the form of itself")
    if let before = mistakes(of: bytes), let after = mistakes(of: text) {
        precondition(before == after, "the form made, hid or changed a mistake")
    }
    return 0
}

/// The sentences of the mistakes; their places move with the text, and their order with the places.
private func mistakes(of bytes: [UInt8]) -> [String]? {
    guard file.write(bytes) else { return nil }
    return SuiteLoader(vocabulary: .shipped).load(paths: [file.path]).mistakes.map(\.message).sorted()
}

private let file = ScratchFile("format.yaml")

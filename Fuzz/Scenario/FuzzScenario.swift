// SPDX-License-Identifier: MIT

import FuzzInput
import Routes
import Scenario

/// Scenario files: any bytes are a suite or mistakes, and each mistake has its place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard file.write(FuzzInput(data, size).bytes) else { return 0 }
    let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [file.path])
    for mistake in loaded.mistakes {
        precondition(mistake.position.line >= 1 && mistake.position.column >= 1, "a mistake without a place")
        precondition(!mistake.message.isEmpty, "a mistake without a sentence")
    }
    precondition(loaded.broken.isEmpty || !loaded.mistakes.isEmpty, "a broken suite without a mistake")
    return 0
}

private let file = ScratchFile("scenario.yaml")

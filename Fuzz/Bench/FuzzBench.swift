// SPDX-License-Identifier: MIT

import Bench
import FuzzInput
import Scenario

/// Bench files: any bytes are a bench or mistakes, and each mistake has its place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    let (bench, mistakes) = TestBench.read(bytes, file: "bench.yaml", folder: "/", isNamedOnCommandLine: true)
    precondition((bench == nil) != mistakes.isEmpty, "neither a bench nor a mistake, or both")
    for mistake in mistakes {
        precondition(mistake.position.line >= 1 && mistake.position.column >= 1, "a mistake without a place")
        precondition(!mistake.message.isEmpty, "a mistake without a sentence")
    }
    return 0
}

// SPDX-License-Identifier: MIT

import HostSystem
import Routes
import Scenario

/// Scenario files: any bytes are a suite or mistakes, and each mistake has its place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard (try? HostFile.write(bytes, to: path)) != nil else { return 0 }
    let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [path])
    for mistake in loaded.mistakes {
        precondition(mistake.position.line >= 1 && mistake.position.column >= 1, "a mistake without a place")
    }
    precondition(loaded.broken.isEmpty || !loaded.mistakes.isEmpty, "a broken suite without a mistake")
    return 0
}

/// One file for each process, in memory where the host has that.
private let path =
    "\(HostFile.isFolder("/dev/shm") ? "/dev/shm" : "/tmp")/taprig-fuzz-\(MonotonicTime.nanoseconds).yaml"

// SPDX-License-Identifier: MIT

import DebugProbe
import Synchronization

/// A probe whose answers the fuzzer makes; behind the last one it is gone.
final class FuzzedLink: ProbeLink {
    private let state: Mutex<(answers: ArraySlice<[UInt8]>, isClosed: Bool)>

    init(_ answers: [[UInt8]]) {
        state = Mutex((answers[...], false))
    }

    var name: String { "fuzzed probe" }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The next answer, with the command's byte in front unless the fuzzer put `FE` there to say otherwise.
    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        let next: [UInt8]? = state.withLock { state in state.isClosed ? nil : state.answers.popFirst() }
        guard let next else { throw ProbeError("the fuzzed probe is gone") }
        guard next.first != 0xFE, let command = request.first else { return Array(next.dropFirst()) }
        return [command] + next
    }

    func close() { state.withLock { $0.isClosed = true } }
}

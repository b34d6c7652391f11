// SPDX-License-Identifier: MIT

import ForeignScript
import FuzzInput

/// Scripts and logs of other tools: any bytes are actions or a reason, in every format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    for format in ScriptFormat.allCases {
        guard let script = attempt({ try ForeignScript.read(bytes, name: "input", format: format) })
        else { continue }
        precondition(!script.actions.isEmpty, "a script without an action")
        precondition(script.commands.allSatisfy { $0.count >= 4 }, "a command without a header")
    }
    _ = ScriptFormat.detect(bytes, name: "input")
    return 0
}

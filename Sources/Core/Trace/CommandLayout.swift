// SPDX-License-Identifier: MIT

/// Where the data field of a command lies, also in commands that are wrong.
///
/// Masks need an answer for every sequence of bytes: what is no valid APDU is still written to the trace.
struct CommandLayout {
    /// The data field; empty when there is none.
    let data: Range<Int>

    init(_ command: [UInt8]) {
        let count = command.count
        guard count > 5 else {
            data = count..<count
            return
        }
        if command[4] != 0 {
            let nc = Int(command[4])
            // One byte may follow as Le; any other sum is a wrong length, and then all of it counts as data.
            data = 5..<(count == 5 + nc || count == 6 + nc ? 5 + nc : count)
        } else if count <= 7 {
            data = count == 6 ? 5..<6 : count..<count
        } else {
            let nc = Int(command[5]) << 8 | Int(command[6])
            data = 7..<(nc > 0 && (count == 7 + nc || count == 9 + nc) ? 7 + nc : count)
        }
    }
}

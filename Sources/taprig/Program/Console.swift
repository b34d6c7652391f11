// SPDX-License-Identifier: MIT

import HostSystem

/// Text for people.
enum Console {
    /// A complaint on standard error, with the program's name in front.
    static func complain(_ message: String) {
        StandardStream.error.write("taprig: \(message)\n")
    }

    /// A line on standard output.
    static func say(_ line: String) {
        StandardStream.output.write(line + "\n")
    }

    /// A line on standard error, for what is no data.
    static func note(_ line: String) {
        StandardStream.error.write(line + "\n")
    }
}

// SPDX-License-Identifier: MIT

/// How the program ends.
enum ExitCode: Int32 {
    /// Everything held.
    case held = 0
    /// Something tested did not hold.
    case notHeld = 1
    /// The command line or an input file is wrong; nothing was sent.
    case usage = 2
    /// The rig could not judge.
    case rig = 3
    /// Ended by SIGINT, after teardown and reports.
    case interrupted = 130
    /// Ended by SIGTERM, after teardown and reports.
    case terminated = 143
}

/// Why a subcommand ended without doing its work.
struct CommandFailure: Error {
    let code: ExitCode
    /// One sentence for people.
    let message: String

    /// A wrong command line or input file.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(code: .usage, message: message) }

    /// Trouble of the rig.
    static func rig(_ message: String) -> CommandFailure { CommandFailure(code: .rig, message: message) }
}

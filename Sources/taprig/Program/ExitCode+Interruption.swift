// SPDX-License-Identifier: MIT

import Runner

extension Interruption {
    /// The exit status that tells of the signal; nil without one.
    var exitCode: ExitCode? {
        switch signal {
        case nil: nil
        case "SIGTERM": .terminated
        default: .interrupted
        }
    }
}

// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem
import Scenario

extension ControlProgram {
    /// Environment variables that a program gets from ours; values of secrets (`RIG_VAR_...`) are not among them.
    static let passedVariables = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_RUNTIME_DIR",
    ]

    /// Runs the program to its end.
    ///
    /// No shell stands between. Its input is empty, its environment a small part of ours besides `TAPRIG_BENCH` (the
    /// bench file's folder) and `TAPRIG_CONTROL` (what it is for).
    ///
    /// - Parameters:
    ///   - extra: Arguments behind those of the bench file.
    ///   - timeout: How long it may take; nil takes its own limit.
    ///   - environment: Our environment; nil takes that of the process.
    /// - Returns: What it printed.
    /// - Throws: A `control` fault with its last line when it cannot be started, fails, or takes too long.
    @discardableResult
    public func run(
        _ extra: [String] = [],
        timeout: Duration? = nil,
        environment: [String: String]? = nil
    ) throws(TransportFault) -> String {
        var variables = (environment ?? HostEnvironment.all).filter { Self.passedVariables.contains($0.key) }
        variables["TAPRIG_BENCH"] = folder
        variables["TAPRIG_CONTROL"] = name.rawValue
        let limit = timeout ?? self.timeout
        let result: ChildProcess.Result
        do throws(ChildProcess.StartFailure) {
            result = try ChildProcess.run(
                path: path,
                arguments: arguments + extra,
                environment: variables,
                timeout: limit
            )
        } catch {
            throw TransportFault(
                .control,
                "\(name.rawValue): the program \(path) cannot be started: \(error.reason)",
                hint: "see \(position)"
            )
        }
        let said = result.lastLine.map { ": \($0)" } ?? " and printed nothing"
        switch result.end {
        case .exited(0):
            return String(decoding: result.output, as: UTF8.self)
        case .exited(let status):
            throw TransportFault(
                .control,
                "\(name.rawValue): \(shortName) ended with status \(status)\(said)"
            )
        case .signalled(let number):
            throw TransportFault(
                .control,
                "\(name.rawValue): \(shortName) was ended by signal \(number)\(said)"
            )
        case .timedOut:
            throw TransportFault(
                .control,
                "\(name.rawValue): \(shortName) did not end in \(DurationText.text(limit)) and was killed\(said)",
                hint: "give it more time with `timeout` in \(position.file)"
            )
        case .unknown:
            throw TransportFault(
                .control,
                "\(name.rawValue): how \(shortName) ended cannot be learned\(said)",
                hint: "the parent process ignores the end of its children; start the rig from a shell"
            )
        }
    }
}

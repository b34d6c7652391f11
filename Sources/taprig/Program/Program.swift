// SPDX-License-Identifier: MIT

import CommandLineKit
import Glibc
import HostSystem

/// The program: reads the command line, calls a subcommand, ends with its exit status.
@main
struct Program {
    /// Version of the rig, as `--version`, traces and reports show it.
    static let version = "0.1.0"

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let code = run(arguments)
        guard let loss = StandardStream.outputLoss else { Glibc.exit(code.rawValue) }
        Console.complain("\(loss)")
        Glibc.exit((code == .held ? .rig : code).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitCode {
        // A reader of our output that has gone away must not kill a run before its teardown.
        signal(SIGPIPE, SIG_IGN)
        do throws(UsageError) {
            switch try Commands.table.parse(arguments, width: StandardStream.output.columns ?? 80) {
            case .help(let text):
                let options = EmulatorOptionList(helpAsked: arguments)?.text ?? ""
                StandardStream.output.write((text.hasSuffix("\n") ? text : text + "\n") + options)
                return .held
            case .version(let text):
                StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
                return .held
            case .command(let command): return call(command)
            }
        } catch {
            Console.complain("\(error)")
            return .usage
        }
    }

    private static func call(_ command: ParsedCommand) -> ExitCode {
        do throws(CommandFailure) {
            return try Commands.action(of: command.path)(command)
        } catch {
            Console.complain(error.message)
            return error.code
        }
    }
}

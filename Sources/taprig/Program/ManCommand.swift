// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem

/// `taprig man`: the manual page.
enum ManCommand {
    static let spec = CommandSpec(
        path: ["man"],
        summary: "Prints the manual page, for man or groff.",
        examples: ["taprig man | man -l -", "taprig man > /usr/local/share/man/man1/taprig.1"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        StandardStream.output.write(ManualPage(table: Commands.table, sections: sections).text)
        return .held
    }

    private static let sections = [
        ManualPage.Section(
            "EXIT STATUS",
            rows: [
                ("0", "Everything held."),
                ("1", "Something tested did not hold: a failed case, a difference, slower than a limit."),
                ("2", "The command line or an input file is wrong; nothing was sent."),
                (
                    "3",
                    "The rig could not judge: reader, service, probe, set-up. Also when all cases were skipped."
                ),
                ("130, 143", "Ended by SIGINT or SIGTERM, after teardown and reports."),
            ]
        ),
        ManualPage.Section(
            "FILES",
            rows: [
                ("taprig.yaml", "Settings of a project, in the folder of its scenarios or above."),
                ("Reports/<UTC time>-<suite>/", "Default run folder: run.json, junit.xml, traces/."),
                ("Reports/latest", "Link to the last run folder."),
                (
                    "$XDG_STATE_HOME/taprig/history",
                    "Lines of the shell (~/.local/state where the variable is not set); never such with PINs, "
                        + "passwords or keys."
                ),
            ]
        ),
        ManualPage.Section(
            "ENVIRONMENT",
            rows: [
                ("NO_COLOR", "Set to anything: no colour."),
                (
                    "PCSCLITE_CSOCK_NAME",
                    "Socket of the PC/SC service, where it is not /run/pcscd/pcscd.comm."
                ),
                ("RIG_VAR_NAME", "Value of the scenario variable or secret 'name'."),
                (
                    "TAPRIG_LEDGER",
                    "File of the retry counters, where no bench names one (one for all users of the host)."
                ),
                ("XDG_STATE_HOME, HOME", "Where the shell keeps its history."),
            ]
        ),
        ManualPage.Section(
            "SEE ALSO",
            text: "pcscd(8), opensc-tool(1), scriptor(1)"
        ),
    ]
}

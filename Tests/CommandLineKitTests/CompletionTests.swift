// SPDX-License-Identifier: MIT

import CommandLineKit
import Testing

@Suite("Completion")
struct CompletionTests {
    @Test("the script is that of the fixtures", arguments: CompletionPlan.shells)
    func script(_ shell: String) throws {
        let script = try #require(Demo.plan.script(for: shell))
        #expect(try Demo.isRecorded(script, as: "completion.\(shell)"))
    }

    @Test("another shell has none")
    func unknown() {
        #expect(Demo.plan.script(for: "tcsh") == nil)
    }

    /// What is typed, with the cursor at its end, and what is offered; commands, options, choices, files, lists.
    static let cases: [(typed: String, offered: [String])] = [
        ("demo ", ["help", "send", "trace"]),
        ("demo tr", ["trace"]),
        ("demo trace ", ["diff", "show"]),
        ("demo trace sh", ["show"]),
        ("demo help tr", ["trace"]),
        ("demo --ver", ["--version"]),
        ("demo send --o", ["--order", "--out"]),
        ("demo send --order ", ["given", "reverse"]),
        ("demo send --order re", ["reverse"]),
        ("demo send --order given --st", ["--stats"]),
        ("demo send 00A4 --js", ["--json"]),
        ("demo send -f sel", ["select.txt"]),
        ("demo send --out su", ["sub folder"]),
        ("demo send --via em", ["emulator"]),
        ("demo send --label x", []),
        ("demo send --set ", ["all"]),
        ("demo send 00B0 00B1 --set ", ["short"]),
        ("demo send --order given 00B0 --set s", ["short"]),
        ("demo send -- 00B1 --st", []),
        ("demo trace show sel", ["select.txt"]),
        ("demo trace show select.txt sel", ["select.txt"]),
        ("demo trace diff select.txt st", ["strict"]),
        ("demo send -- --st", []),
    ]

    /// bash replaces only what stands behind the last mark at which it parts words.
    static let bashCases: [(typed: String, offered: [String])] =
        cases + [
            ("demo send --order=re", ["reverse"]),
            ("demo send --via pcsc:Id", ["Identiv"]),
            ("demo send --via pcsc:AC", ["ACS\\ ACR1252\\ 00\\ 00", "ACS\\ ACR1252\\ 01\\ 00"]),
            ("demo send --via \"pcsc:AC", ["pcsc:ACS ACR1252 00 00", "pcsc:ACS ACR1252 01 00"]),
        ]

    @Test("bash offers what fits", .enabled(if: ShellRun.path("bash") != nil, "install bash"))
    func bash() throws {
        let run = try ShellRun(shell: "bash")
        let bash = try #require(ShellRun.path("bash"))
        for (typed, offered) in Self.bashCases {
            let lines = try run.lines(bash, ["--norc", "-c", Self.bashDriver, run.script, typed])
            #expect(lines.sorted() == offered, "\(typed)|")
        }
    }

    /// Parts the line as readline does, calls the function that `complete` names, and prints what it leaves.
    private static let bashDriver = #"""
        set -u
        source "$0"
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:' COMP_WORDS=() word= quote=
        for ((at = 0; at < ${#COMP_LINE}; at++)); do
            letter=${COMP_LINE:at:1}
            case $quote$letter in
            \"* ) word+=$letter; [ ${#quote}${letter} = '1"' ] && [ -n "${word#\"}" ] && quote= || quote='"' ;;
            ' ' ) [ -z "$word" ] || COMP_WORDS+=("$word"); word= ;;
            [:=] ) [ -z "$word" ] || COMP_WORDS+=("$word"); COMP_WORDS+=("$letter"); word= ;;
            * ) word+=$letter ;;
            esac
        done
        COMP_WORDS+=("$word")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=$(complete -p demo | sed 's/.*-F \([^ ]*\).*/\1/')
        $function demo "$word" ""
        [ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
        """#

    // Only bash is everywhere: what zsh and fish do with their scripts is seen where they are installed.

    @Test("fish offers what fits")
    func fish() throws {
        let run = try ShellRun(shell: "fish")
        #expect(Demo.plan.script(for: "fish")?.contains("complete -c demo -f\n") == true)
        guard let fish = ShellRun.path("fish") else { return }
        for (typed, offered) in Self.cases {
            let lines = try run.lines(
                fish,
                ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", run.script, typed]
            )
            let words = lines.map { String($0.prefix { $0 != "\t" }) }
                .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
            #expect(words.filter { !["-h", "--help"].contains($0) }.sorted() == offered, "\(typed)|")
        }
    }

    @Test("zsh hands the first argument on to a list that depends on it")
    func zshArgument() throws {
        let script = try #require(Demo.plan.script(for: "zsh"))
        #expect(script.contains(":NAME=VALUE:{local _demo_of=$line[1]; _demo_ask settings}"))
    }

    @Test("zsh takes the script and names its functions")
    func zsh() throws {
        let run = try ShellRun(shell: "zsh")
        #expect(Demo.plan.script(for: "zsh")?.hasPrefix("#compdef demo\n") == true)
        guard let zsh = ShellRun.path("zsh") else { return }
        let lines = try run.lines(
            zsh,
            [
                "-f", "-c",
                "autoload -U compinit; compinit -D -u; source $1; print $_comps[demo]; "
                    + "for f in ${(ok)functions[(I)_demo*]}; print $f",
                "zsh", run.script,
            ]
        )
        #expect(
            lines == [
                "_demo", "_demo", "_demo_ask", "_demo_at", "_demo_at_help", "_demo_at_send", "_demo_at_trace",
                "_demo_at_trace_diff", "_demo_at_trace_show",
            ]
        )
    }
}

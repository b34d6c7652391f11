// SPDX-License-Identifier: MIT

/// The completion script for fish.
struct FishCompletion {
    let plan: CompletionPlan

    private var program: String { plan.table.program }
    private var name: String { "__" + program }

    var text: String {
        let places = plan.places
        let valued = places.flatMap { place in
            place.options.filter { $0.value != nil }.flatMap { option in
                option.names.map { "\(place.name) \($0)" }
            }
        }
        let paths = places.flatMap { place in place.words.map { "\(place.name) \($0.word)" } }
        return """
            # Completion of \(program) for fish, made by: \(program) completions fish
            # To use it: \(program) completions fish | source

            set -g \(name)_paths \(list(paths))
            set -g \(name)_valued \(list(valued))

            # The words of the command so far, then the number of its arguments, then the first of them.
            function \(name)_state
                set -l path ''
                set -l count 0
                set -l first ''
                set -l skip 0
                set -l ended 0
                for word in (commandline -opc)[2..-1]
                    if test $skip = 1
                        set skip 0
                    else if test $ended = 0; and test "$word" = --
                        set ended 1
                    else if test $ended = 0; and string match -q -- '-?*' "$word"
                        contains -- "$path $word" $\(name)_valued; and set skip 1
                    else if contains -- "$path $word" $\(name)_paths
                        set path (string trim -- "$path $word")
                    else
                        set count (math $count + 1)
                        test $count = 1; and set first $word
                    end
                end
                printf '%s\\n' "$path" $count "$first"
            end

            # True at a command, and where a number is given, at its argument of this number or a later one.
            function \(name)_is
                set -l state (\(name)_state)
                test "$state[1]" = "$argv[1]"; or return 1
                set -q argv[2]; or return 0
                test $state[2] -ge $argv[2]; or return 1
                set -q argv[3]; or return 0
                test $state[2] -le $argv[3]
            end

            # The lines that the program prints for a list.
            function \(name)_ask
                set -l words (commandline -opc)
                command $words[1] \(plan.askWith) $argv 2>/dev/null
            end

            # The same of the command's first argument, if there is one.
            function \(name)_ask_of
                set -l state (\(name)_state)
                set -l of
                test -n "$state[3]"; and set of -- $state[3]
                \(name)_ask $argv[1] $of
            end

            complete -c \(program) -f
            \(places.flatMap(lines).joined(separator: "\n"))

            """
    }

    private func lines(_ place: CompletionPlan.Place) -> [String] {
        var out: [String] = []
        for (word, summary) in place.words {
            out.append(line("\(name)_is \(quoted(place.name)) 0 0", "-a \(quoted(word))", summary))
        }
        for option in place.options {
            var names: [String] = []
            for name in option.names {
                names.append(name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())")
            }
            var more = ""
            if option.value != nil { more = " " + arguments(plan.completion(of: option), isOption: true) }
            out.append(
                line("\(name)_is \(quoted(place.name))", names.joined(separator: " ") + more, option.summary)
            )
        }
        guard place.words.isEmpty else { return out }
        for (index, positional) in place.positionals.enumerated() {
            let offered = arguments(plan.completion(of: positional), isOption: false)
            guard !offered.isEmpty else { continue }
            let range = positional.repeats ? "\(index)" : "\(index) \(index)"
            out.append(line("\(name)_is \(quoted(place.name)) \(range)", offered, positional.summary))
        }
        return out
    }

    private func line(_ condition: String, _ what: String, _ summary: String) -> String {
        let text = summary.isEmpty ? "" : " -d \(quoted(summary))"
        return "complete -c \(program) -n \(quoted(condition)) \(what)\(text)"
    }

    private func arguments(_ completion: ValueCompletion, isOption: Bool) -> String {
        switch completion {
        case .nothing: isOption ? "-x" : ""
        case .file: isOption ? "-r -F" : "-F"
        case .folder: (isOption ? "-x " : "") + "-a '(__fish_complete_directories)'"
        case .words(let words): (isOption ? "-x " : "") + "-a \(quoted(words.joined(separator: " ")))"
        case .asked(let list): (isOption ? "-x " : "") + "-a \(quoted("(\(name)_ask \(list))"))"
        case .askedOfArgument(let list): (isOption ? "-x " : "") + "-a \(quoted("(\(name)_ask_of \(list))"))"
        }
    }

    private func list(_ texts: [String]) -> String { texts.map(quoted).joined(separator: " ") }

    private func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}

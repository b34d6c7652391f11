// SPDX-License-Identifier: MIT

/// The completion script for zsh: to be sourced, or kept as `_PROGRAM` in a folder of `fpath`.
struct ZshCompletion {
    let plan: CompletionPlan

    private var program: String { plan.table.program }
    private var name: String { "_" + program }

    var text: String {
        let functions = plan.places.map(function).joined(separator: "\n\n")
        return """
            #compdef \(program)
            # Completion of \(program) for zsh, made by: \(program) completions zsh
            # To use it: source <(\(program) completions zsh), after compinit

            # Offers the lines that the program prints for a list.
            \(name)_ask() {
                local -a found of
                [[ -z $\(name)_of ]] || of=(-- "$\(name)_of")
                found=("${(@f)$(command "${\(name)_program:-\(program)}" \(plan.askWith) "$1" "${of[@]}" 2>/dev/null)}")
                found=(${found:#})
                compadd "${@:2}" -a found
            }

            \(functions)

            \(name)() {
                typeset -g \(name)_program=${(Q)words[1]}
                \(name)_at
            }

            if [[ ${funcstack[1]} == \(name) ]]; then
                \(name) "$@"
            else
                compdef \(name) \(program)
            fi

            """
    }

    private func function(_ place: CompletionPlan.Place) -> String {
        var specs = place.options.map(specification)
        var tail = ""
        if place.words.isEmpty {
            for (index, positional) in place.positionals.enumerated() {
                let position = positional.repeats ? "*" : "\(index + 1)"
                let optional = positional.isRequired || positional.repeats ? ":" : "::"
                specs.append(
                    quoted(
                        "\(position)\(optional)\(escaped(positional.name)):\(action(plan.completion(of: positional)))"
                    )
                )
            }
        } else {
            let words = place.words.map { quoted("\(escaped($0.word)):\($0.summary)") }
            specs += ["'1: :->word'", "'*:: :->rest'"]
            tail = """

                    case $state in
                    word)
                        local -a found=(
                \(words.map { "            " + $0 }.joined(separator: "\n"))
                        )
                        _describe -t commands command found
                        ;;
                    rest)
                        (( $+functions[\(functionName(place.path))_${words[1]}] )) && \(functionName(place.path))_${words[1]}
                        ;;
                    esac
                """
        }
        let list = specs.map { " \\\n        " + $0 }.joined()
        let states = place.words.isEmpty ? "" : "    local context state line\n    typeset -A opt_args\n"
        let flags = place.words.isEmpty ? "-S" : "-C -S"
        return "\(functionName(place.path))() {\n\(states)    _arguments \(flags)\(list)\(tail)\n}"
    }

    private func functionName(_ path: [String]) -> String { (["\(name)_at"] + path).joined(separator: "_") }

    private func specification(_ option: OptionSpec) -> String {
        let text = "[\(escaped(option.summary))]"
        let value = option.value.map { ":\(escaped($0)):\(action(plan.completion(of: option)))" } ?? ""
        let repeats = option.repeats ? "*" : ""
        let names = option.names.map { name in
            // `--name=` takes its value behind the sign or as the next word, `-f` behind it or as the next word.
            option.value == nil ? name : name.hasPrefix("--") ? "\(name)=" : "\(name)+"
        }
        if names.count == 1 { return quoted("\(repeats)\(names[0])\(text)\(value)") }
        let others = option.repeats ? "*" : "(\(option.names.joined(separator: " ")))"
        return "\(quoted(others))\("{" + names.joined(separator: ",") + "}")\(quoted(text + value))"
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words): "(\(words.map(escaped).joined(separator: " ")))"
        case .asked(let list): "{\(name)_ask \(list)}"
        // `_arguments` puts what is no option into `line`.
        case .askedOfArgument(let list): "{local \(name)_of=$line[1]; \(name)_ask \(list)}"
        }
    }

    /// Text inside a specification, where brackets and colons have a meaning.
    private func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

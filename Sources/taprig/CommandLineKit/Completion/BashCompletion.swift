// SPDX-License-Identifier: MIT

/// The completion script for bash; needs nothing but bash 4.4.
struct BashCompletion {
    let plan: CompletionPlan

    private var program: String { plan.table.program }
    private var name: String { "_" + program.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }

    var text: String {
        """
        # Completion of \(program) for bash, made by: \(program) completions bash
        # To use it: source <(\(program) completions bash)
        # shellcheck shell=bash disable=SC2207

        # The words that may follow the words of a command.
        \(name)_words() {
            case $1 in
        \(arms(plan.places.filter { !$0.words.isEmpty }.map { ($0.name, $0.words.map(\.word)) }))
            esac
        }

        # The options of a command.
        \(name)_options() {
            case $1 in
        \(arms(plan.places.map { ($0.name, $0.options.flatMap(\.names)) }))
            esac
        }

        # What the value of an option is; fails for an option that takes none.
        \(name)_value() {
            case "$1 $2" in
        \(valueArms)
            *) return 1 ;;
            esac
        }

        # What an argument is, by its number from 1.
        \(name)_argument() {
            case "$1 $2" in
        \(argumentArms)
            esac
        }

        \(engine)
        complete -F \(name) \(program)

        """
    }

    private func arms(_ rows: [(name: String, words: [String])]) -> String {
        rows.map { "    \(quoted($0.name))) echo \(quoted($0.words.joined(separator: " "))) ;;" }
            .joined(separator: "\n")
    }

    private var valueArms: String {
        plan.places.flatMap { place in
            place.options.filter { $0.value != nil }.map { option in
                let patterns = option.names.map { quoted("\(place.name) \($0)") }.joined(separator: " | ")
                return "    \(patterns)) echo \(quoted(kind(plan.completion(of: option)))) ;;"
            }
        }.joined(separator: "\n")
    }

    private var argumentArms: String {
        plan.places.flatMap { place in
            place.positionals.enumerated().compactMap { index, positional -> String? in
                let kind = kind(plan.completion(of: positional))
                guard kind != "nothing" else { return nil }
                // A repeated argument has all numbers from its own on.
                let pattern =
                    positional.repeats && index == 0
                    ? "\(quoted("\(place.name) "))*" : quoted("\(place.name) \(index + 1)")
                return "    \(pattern)) echo \(quoted(kind)) ;;"
            }
        }.joined(separator: "\n")
    }

    private func kind(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: "nothing"
        case .file: "file"
        case .folder: "folder"
        case .words(let words): "words " + words.joined(separator: " ")
        case .asked(let list): "asked \(list)"
        case .askedOfArgument(let list): "asked_of \(list)"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The part that is the same for all tables.
    private var engine: String {
        """
        \(name)() {
            local rest=${COMP_LINE:0:COMP_POINT} words=() blank word i
            COMPREPLY=()
            # bash parts words at colons and equal signs: put together what no blank parts.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                blank=${rest%%[![:blank:]]*}
                rest=${rest#"$blank"}
                word=${COMP_WORDS[i]}
                [ "$i" -lt "$COMP_CWORD" ] || word=$rest
                rest=${rest#"$word"}
                if [ -n "$blank" ] || [ ${#words[@]} = 0 ]; then
                    words+=("$word")
                else
                    words[-1]+=$word
                fi
            done
            [ ${#words[@]} -gt 1 ] || return 0

            local path='' option='' ended='' count=0 of=() cur=${words[-1]}
            for word in "${words[@]:1:${#words[@]}-2}"; do
                if [ -n "$option" ]; then
                    option=
                elif [ -z "$ended" ] && [ "$word" = -- ]; then
                    ended=1
                elif [ -z "$ended" ] && [[ $word == -?* ]]; then
                    [[ $word == --*=* ]] || ! \(name)_value "$path" "$word" >/dev/null || option=$word
                elif [[ " $(\(name)_words "$path") " == *" $word "* ]]; then
                    path+=${path:+ }$word
                else
                    count=$((count + 1))
                    [ "$count" != 1 ] || of=(-- "$word")
                fi
            done

            local kind
            if [ -n "$option" ]; then
                kind=$(\(name)_value "$path" "$option")
            elif [ -z "$ended" ] && [[ $cur == --*=* ]]; then
                kind=$(\(name)_value "$path" "${cur%%=*}")
                cur=${cur#*=}
            elif [ -z "$ended" ] && [[ $cur == -* ]]; then
                kind="words $(\(name)_options "$path")"
            else
                kind="words $(\(name)_words "$path")"
                [ "$kind" != 'words ' ] && [ "$count" = 0 ] || kind=$(\(name)_argument "$path" $((count + 1)))
            fi

            # What is typed so far, without quotes; within quotes bash parts no words.
            local quote='' typed=$cur found
            case $typed in
            \\"* | \\'*)
                quote=${typed:0:1}
                typed=${typed:1}
                ;;
            *) typed=${typed//\\\\/} ;;
            esac
            case $kind in
            file | folder)
                compopt -o filenames 2>/dev/null
                [ "$kind" = file ] && i=-f || i=-d
                while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$i" -- "$typed")
                ;;
            words\\ *) COMPREPLY=($(compgen -W "${kind#words }" -- "$typed")) ;;
            asked\\ * | asked_of\\ *)
                [[ $kind == asked_of* ]] || of=()
                while IFS= read -r found; do
                    [[ $found == "$typed"* ]] || continue
                    [ -n "$quote" ] || printf -v found %q "$found"
                    COMPREPLY+=("$found")
                done < <("${COMP_WORDS[0]}" \(plan.askWith) "${kind#* }" "${of[@]}" 2>/dev/null)
                ;;
            esac
            # A name that its value follows is not done.
            if [ ${#COMPREPLY[@]} = 1 ] && [[ ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
            # bash replaces only what stands behind the last mark at which it parts words.
            if [ -z "$quote" ] && [[ $cur == *[:=]* ]] && [[ $COMP_WORDBREAKS == *:* ]]; then
                local head=${cur%"${cur##*[:=]}"}
                for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$head"}; done
            fi
        }
        """
    }
}

# Completion of demo for bash, made by: demo completions bash
# To use it: source <(demo completions bash)
# shellcheck shell=bash disable=SC2207

# The words that may follow the words of a command.
_demo_words() {
    case $1 in
    '') echo 'send trace help' ;;
    'trace') echo 'show diff' ;;
    'help') echo 'send trace' ;;
    esac
}

# The options of a command.
_demo_options() {
    case $1 in
    '') echo '--json -h --help --version' ;;
    'send') echo '-f --file --order --out --via --label --set --stats --json -h --help' ;;
    'trace') echo '--json -h --help' ;;
    'trace show') echo '--json -h --help' ;;
    'trace diff') echo '--json -h --help' ;;
    'help') echo '' ;;
    esac
}

# What the value of an option is; fails for an option that takes none.
_demo_value() {
    case "$1 $2" in
    'send -f' | 'send --file') echo 'file' ;;
    'send --order') echo 'words given reverse' ;;
    'send --out') echo 'folder' ;;
    'send --via') echo 'asked ways' ;;
    'send --label') echo 'nothing' ;;
    'send --set') echo 'asked_of settings' ;;
    *) return 1 ;;
    esac
}

# What an argument is, by its number from 1.
_demo_argument() {
    case "$1 $2" in
    'trace show '*) echo 'file' ;;
    'trace diff 1') echo 'file' ;;
    'trace diff 2') echo 'words strict loose' ;;
    esac
}

_demo() {
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
            [[ $word == --*=* ]] || ! _demo_value "$path" "$word" >/dev/null || option=$word
        elif [[ " $(_demo_words "$path") " == *" $word "* ]]; then
            path+=${path:+ }$word
        else
            count=$((count + 1))
            [ "$count" != 1 ] || of=(-- "$word")
        fi
    done

    local kind
    if [ -n "$option" ]; then
        kind=$(_demo_value "$path" "$option")
    elif [ -z "$ended" ] && [[ $cur == --*=* ]]; then
        kind=$(_demo_value "$path" "${cur%%=*}")
        cur=${cur#*=}
    elif [ -z "$ended" ] && [[ $cur == -* ]]; then
        kind="words $(_demo_options "$path")"
    else
        kind="words $(_demo_words "$path")"
        [ "$kind" != 'words ' ] && [ "$count" = 0 ] || kind=$(_demo_argument "$path" $((count + 1)))
    fi

    # What is typed so far, without quotes; within quotes bash parts no words.
    local quote='' typed=$cur found
    case $typed in
    \"* | \'*)
        quote=${typed:0:1}
        typed=${typed:1}
        ;;
    *) typed=${typed//\\/} ;;
    esac
    case $kind in
    file | folder)
        compopt -o filenames 2>/dev/null
        [ "$kind" = file ] && i=-f || i=-d
        while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$i" -- "$typed")
        ;;
    words\ *) COMPREPLY=($(compgen -W "${kind#words }" -- "$typed")) ;;
    asked\ * | asked_of\ *)
        [[ $kind == asked_of* ]] || of=()
        while IFS= read -r found; do
            [[ $found == "$typed"* ]] || continue
            [ -n "$quote" ] || printf -v found %q "$found"
            COMPREPLY+=("$found")
        done < <("${COMP_WORDS[0]}" list "${kind#* }" "${of[@]}" 2>/dev/null)
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
complete -F _demo demo

#compdef demo
# Completion of demo for zsh, made by: demo completions zsh
# To use it: source <(demo completions zsh), after compinit

# Offers the lines that the program prints for a list.
_demo_ask() {
    local -a found of
    [[ -z $_demo_of ]] || of=(-- "$_demo_of")
    found=("${(@f)$(command "${_demo_program:-demo}" list "$1" "${of[@]}" 2>/dev/null)}")
    found=(${found:#})
    compadd "${@:2}" -a found
}

_demo_at() {
    local context state line
    typeset -A opt_args
    _arguments -C -S \
        '--json[Prints one JSON document.]' \
        '(-h --help)'{-h,--help}'[Show this help.]' \
        '--version[Show the version.]' \
        '1: :->word' \
        '*:: :->rest'
    case $state in
    word)
        local -a found=(
            'send:Sends commands to a card: one, or many.'
            'trace:Reads traces.'
            'help:Explains a command.'
        )
        _describe -t commands command found
        ;;
    rest)
        (( $+functions[_demo_at_${words[1]}] )) && _demo_at_${words[1]}
        ;;
    esac
}

_demo_at_send() {
    _arguments -S \
        '(-f --file)'{-f+,--file=}'[Reads commands from a file.]:FILE:_files' \
        '*--order=[The order in which commands are sent.]:ORDER:(given reverse)' \
        '--out=[Where results go\: a folder \[new\].]:DIR:_files -/' \
        '--via=[Way to the card.]:SPEC:{_demo_ask ways}' \
        '--label=[A label; it'\''s kept.]:TEXT: ' \
        '--set=[A setting of the first command'\''s card.]:NAME=VALUE:{local _demo_of=$line[1]; _demo_ask settings}' \
        '--stats[Prints times.]' \
        '--json[Prints one JSON document.]' \
        '(-h --help)'{-h,--help}'[Show this help.]' \
        '*:APDU: '
}

_demo_at_trace() {
    local context state line
    typeset -A opt_args
    _arguments -C -S \
        '--json[Prints one JSON document.]' \
        '(-h --help)'{-h,--help}'[Show this help.]' \
        '1: :->word' \
        '*:: :->rest'
    case $state in
    word)
        local -a found=(
            'show:Prints a trace.'
            'diff:Compares two traces.'
        )
        _describe -t commands command found
        ;;
    rest)
        (( $+functions[_demo_at_trace_${words[1]}] )) && _demo_at_trace_${words[1]}
        ;;
    esac
}

_demo_at_trace_show() {
    _arguments -S \
        '--json[Prints one JSON document.]' \
        '(-h --help)'{-h,--help}'[Show this help.]' \
        '*:FILE:_files'
}

_demo_at_trace_diff() {
    _arguments -S \
        '--json[Prints one JSON document.]' \
        '(-h --help)'{-h,--help}'[Show this help.]' \
        '1:FILE:_files' \
        '2:MODE:(strict loose)'
}

_demo_at_help() {
    local context state line
    typeset -A opt_args
    _arguments -C -S \
        '1: :->word' \
        '*:: :->rest'
    case $state in
    word)
        local -a found=(
            'send:'
            'trace:'
        )
        _describe -t commands command found
        ;;
    rest)
        (( $+functions[_demo_at_help_${words[1]}] )) && _demo_at_help_${words[1]}
        ;;
    esac
}

_demo() {
    typeset -g _demo_program=${(Q)words[1]}
    _demo_at
}

if [[ ${funcstack[1]} == _demo ]]; then
    _demo "$@"
else
    compdef _demo demo
fi

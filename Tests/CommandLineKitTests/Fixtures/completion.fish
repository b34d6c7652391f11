# Completion of demo for fish, made by: demo completions fish
# To use it: demo completions fish | source

set -g __demo_paths ' send' ' trace' ' help' 'trace show' 'trace diff' 'help send' 'help trace'
set -g __demo_valued 'send -f' 'send --file' 'send --order' 'send --out' 'send --via' 'send --label' 'send --set'

# The words of the command so far, then the number of its arguments, then the first of them.
function __demo_state
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
            contains -- "$path $word" $__demo_valued; and set skip 1
        else if contains -- "$path $word" $__demo_paths
            set path (string trim -- "$path $word")
        else
            set count (math $count + 1)
            test $count = 1; and set first $word
        end
    end
    printf '%s\n' "$path" $count "$first"
end

# True at a command, and where a number is given, at its argument of this number or a later one.
function __demo_is
    set -l state (__demo_state)
    test "$state[1]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test $state[2] -ge $argv[2]; or return 1
    set -q argv[3]; or return 0
    test $state[2] -le $argv[3]
end

# The lines that the program prints for a list.
function __demo_ask
    set -l words (commandline -opc)
    command $words[1] list $argv 2>/dev/null
end

# The same of the command's first argument, if there is one.
function __demo_ask_of
    set -l state (__demo_state)
    set -l of
    test -n "$state[3]"; and set of -- $state[3]
    __demo_ask $argv[1] $of
end

complete -c demo -f
complete -c demo -n '__demo_is \'\' 0 0' -a 'send' -d 'Sends commands to a card: one, or many.'
complete -c demo -n '__demo_is \'\' 0 0' -a 'trace' -d 'Reads traces.'
complete -c demo -n '__demo_is \'\' 0 0' -a 'help' -d 'Explains a command.'
complete -c demo -n '__demo_is \'\'' -l json -d 'Prints one JSON document.'
complete -c demo -n '__demo_is \'\'' -s h -l help -d 'Show this help.'
complete -c demo -n '__demo_is \'\'' -l version -d 'Show the version.'
complete -c demo -n '__demo_is \'send\'' -s f -l file -r -F -d 'Reads commands from a file.'
complete -c demo -n '__demo_is \'send\'' -l order -x -a 'given reverse' -d 'The order in which commands are sent.'
complete -c demo -n '__demo_is \'send\'' -l out -x -a '(__fish_complete_directories)' -d 'Where results go: a folder [new].'
complete -c demo -n '__demo_is \'send\'' -l via -x -a '(__demo_ask ways)' -d 'Way to the card.'
complete -c demo -n '__demo_is \'send\'' -l label -x -d 'A label; it\'s kept.'
complete -c demo -n '__demo_is \'send\'' -l set -x -a '(__demo_ask_of settings)' -d 'A setting of the first command\'s card.'
complete -c demo -n '__demo_is \'send\'' -l stats -d 'Prints times.'
complete -c demo -n '__demo_is \'send\'' -l json -d 'Prints one JSON document.'
complete -c demo -n '__demo_is \'send\'' -s h -l help -d 'Show this help.'
complete -c demo -n '__demo_is \'trace\' 0 0' -a 'show' -d 'Prints a trace.'
complete -c demo -n '__demo_is \'trace\' 0 0' -a 'diff' -d 'Compares two traces.'
complete -c demo -n '__demo_is \'trace\'' -l json -d 'Prints one JSON document.'
complete -c demo -n '__demo_is \'trace\'' -s h -l help -d 'Show this help.'
complete -c demo -n '__demo_is \'trace show\'' -l json -d 'Prints one JSON document.'
complete -c demo -n '__demo_is \'trace show\'' -s h -l help -d 'Show this help.'
complete -c demo -n '__demo_is \'trace show\' 0' -F -d 'Traces.'
complete -c demo -n '__demo_is \'trace diff\'' -l json -d 'Prints one JSON document.'
complete -c demo -n '__demo_is \'trace diff\'' -s h -l help -d 'Show this help.'
complete -c demo -n '__demo_is \'trace diff\' 0 0' -F -d 'One trace.'
complete -c demo -n '__demo_is \'trace diff\' 1 1' -a 'strict loose' -d 'How.'
complete -c demo -n '__demo_is \'help\' 0 0' -a 'send'
complete -c demo -n '__demo_is \'help\' 0 0' -a 'trace'

# SPDX-License-Identifier: MIT
#
# What the scripts of this folder share. Sourced, never run.

# The folder of the package, whatever folder the script was started from.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# fail TEXT...: ends the script as set-up trouble, which judges nothing (the status that taprig has for it).
fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 3
}

# step TEXT COMMAND...: runs a command and says how long it took.
step() {
    local text=$1 start=$SECONDS status=0
    shift
    printf '%s ...\n' "$text"
    "$@" || status=$?
    if [ "$status" = 0 ]; then
        printf '%s: done in %d s\n' "$text" $((SECONDS - start))
    else
        printf '%s: ended with status %d after %d s\n' "$text" "$status" $((SECONDS - start))
    fi
    return "$status"
}

# version_of SWIFT: prints its version, such as 6.3.
version_of() {
    "$1" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

# use_swift: puts Swift 6.3 or newer in front on PATH, or ends with a sentence that says what is missing.
use_swift() {
    local candidate version found=
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift \
        "${HOME:-/root}/.local/share/swiftly/bin/swift"; do
        [ -x "$candidate" ] || continue
        version=$(version_of "$candidate")
        case $version in
        '') continue ;;
        [0-5].* | 6.[0-2]) found=$version ;;
        *)
            export PATH=${candidate%/*}:$PATH
            return 0
            ;;
        esac
    done
    [ -z "$found" ] || fail "Swift $found is too old; install Swift 6.3 or newer (swift.org/install) and put it on PATH"
    fail "Swift is missing; install Swift 6.3 or newer (swift.org/install) and put its usr/bin folder on PATH"
}

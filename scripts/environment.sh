# The environment of this checkout, for the scripts beside this file. They set `root` and source it.
#
#   use_environment base|dev    makes .venv ready (the first run creates it) and sets `python`
#
# A stamp in .venv says what it was made from (pyproject.toml and the lock), so the common case costs
# a few small reads.

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return 0
        fi
    done
    if command -v python3 >/dev/null 2>&1; then
        echo "abpress: needs Python 3.11 or newer, and this is $(python3 --version 2>&1)" >&2
    else
        echo "abpress: needs Python 3.11 or newer, and there is no python3 here" >&2
    fi
    return 1
}

use_environment() {
    python=$root/.venv/bin/python
    wanted="$(cat "$root/pyproject.toml" "$root"/requirements/*.txt | cksum) $root"
    stamp=$root/.venv/abpress-$1
    if [ -x "$python" ] && [ -r "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return 0
    fi
    base=$(find_python) || exit 4
    "$base" "$root/scripts/setup_environment.py" "$root" "$1" "$wanted" || exit 4
}

#!/usr/bin/env bash
# Checks everything: ./test.sh [--no-qemu]
#
# Installs what it needs first (apt, as root or with sudo) and says so. Every step runs even when
# an earlier one failed; the last line says what passed, what failed and what was left out.
set -uo pipefail
cd "$(dirname "$0")" || exit 2

qemu=yes
for argument in "$@"; do
    case $argument in
    --no-qemu) qemu=no ;;
    *)
        echo "test.sh: unknown option $argument; usage: ./test.sh [--no-qemu]" >&2
        exit 2
        ;;
    esac
done

passed=() failed=() left_out=()
start=$SECONDS

# step NAME COMMAND...: runs one check and notes how it ended.
step() {
    local name=$1 begin=$SECONDS
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    "$@"
    local status=$?
    if [ $status = 0 ]; then
        passed+=("$name")
        printf '== %s: ok, %d s\n' "$name" $((SECONDS - begin))
    else
        failed+=("$name")
        printf '== %s: FAILED with exit status %d\n' "$name" $status
    fi
}

# skip NAME WHY
skip() {
    left_out+=("$1 ($2)")
    printf '\n== %s: left out, %s\n' "$1" "$2"
}

has() { command -v "$1" >/dev/null 2>&1; }

# install PACKAGE...: with apt, where there is one.
install() {
    local root=()
    if ! has apt-get; then
        echo "test.sh: missing: $*; there is no apt-get here, please install them by hand" >&2
        return 1
    fi
    [ "$(id -u)" = 0 ] || root=(sudo)
    echo "test.sh: installing with apt: $*"
    "${root[@]}" apt-get update -qq && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"
}

has_libclang() {
    compgen -G '/usr/lib/llvm-*/lib/libclang*.so*' >/dev/null || compgen -G '/usr/lib/*/libclang*.so*' >/dev/null ||
        [ -n "${LIBCLANG_PATH:-}" ]
}

if ! has cargo; then
    echo "test.sh: there is no cargo; install Rust with https://rustup.rs and run this again" >&2
    exit 2
fi
packages=()
has cc || packages+=(gcc libc6-dev)
has c++ || packages+=(g++)
has clang || packages+=(clang)
has_libclang || packages+=(libclang-dev)
if [ ${#packages[@]} -gt 0 ]; then
    install "${packages[@]}" || exit 2
fi
if [ "$qemu" = yes ] && [ -x scripts/install-hexagon-tools.sh ]; then
    scripts/install-hexagon-tools.sh || {
        echo "test.sh: cannot install what the QEMU tests need; ./test.sh --no-qemu leaves them out" >&2
        exit 2
    }
fi

# Everything is built once here: what incremental builds keep for later only costs time.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

step format cargo fmt --all --check
step clippy cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

[ "$qemu" = yes ] || export HMX_SKIP_QEMU=1
if has cargo-nextest; then
    step tests cargo nextest run --workspace --locked --no-fail-fast
else
    step tests cargo test --workspace --locked --all-targets --no-fail-fast --quiet
fi
[ "$qemu" = yes ] || skip "QEMU tests" "--no-qemu"
step "planted faults" cargo test --locked --quiet --features planted-faults --test planted_faults
step "doc tests" cargo test --workspace --locked --doc --quiet
step documentation env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --locked --no-deps --quiet
step "README commands" cargo test --locked --quiet --test docs -- --ignored --exact readme
# Last: it leaves a sanitized build behind.
if [ "$(uname -s)" = Linux ]; then
    step sanitizers scripts/sanitize.sh
else
    skip sanitizers "only Linux links them"
fi

list() { local IFS=,; echo "${*:-nothing}" | sed 's/,/, /g'; }
printf '\ntest.sh: %d s; passed: %s; failed: %s; left out: %s\n' $((SECONDS - start)) \
    "$(list "${passed[@]}")" "$(list "${failed[@]}")" "$(list "${left_out[@]}")"
[ ${#failed[@]} = 0 ]

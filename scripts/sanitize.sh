#!/usr/bin/env bash
# Verifies the kernels with their C code built for AddressSanitizer and UndefinedBehaviorSanitizer.
#
# usage: scripts/sanitize.sh [CASES]     (cases for each kernel, 60 by default)
#
# Rust itself is not instrumented, so stable Rust serves: build.rs compiles the C files with the sanitizers and links
# gcc's runtimes. AddressSanitizer's runtime is loaded before everything else, so that Rust's buffers come from its
# allocator too and an access beyond one is found.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${1:-60}

runtime=$(cc -print-file-name=libasan.so 2>/dev/null || true)
if [ "$(uname -s)" != Linux ] || [ ! -e "$runtime" ]; then
    echo "sanitize.sh: needs Linux and a \`cc\` that is gcc with its sanitizer runtimes (Debian: gcc libc6-dev)" >&2
    exit 2
fi
export HMXWB_SANITIZE=address,undefined CC=cc
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# In the ordinary folder, so that the crates used are not built again; cargo notices the variable, and the next
# ordinary build puts its own program back.
cargo build --quiet --locked --bin hmx

hmx=${CARGO_TARGET_DIR:-target}/debug/hmx
if ! grep -aq __asan_report_load1 "$hmx"; then
    echo "sanitize.sh: $hmx was built without AddressSanitizer" >&2
    exit 1
fi
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

# Each sanitizer finds what is planted for it (dsp-kernels/native/machine.c), or the runs below prove nothing.
finds() {
    local output
    if output=$(HMXWB_PLANT=$1 LD_PRELOAD=$runtime "$hmx" verify mm_hf --cases 1 --seed 1 --regressions "$kept" 2>&1) ||
        ! grep -q "$2" <<<"$output"; then
        echo "sanitize.sh: the sanitizer \`$1\` did not find the planted fault:" >&2
        echo "$output" | head -20 >&2
        exit 1
    fi
    echo "the sanitizer \`$1\` finds the planted fault"
}
finds address 'AddressSanitizer: heap-buffer-overflow'
finds undefined 'signed integer overflow'

LD_PRELOAD=$runtime "$hmx" verify all --cases "$cases" --seed 1 --regressions "$kept"
LD_PRELOAD=$runtime "$hmx" verify all --gguf testdata/minilm-layer0-q4_0.gguf --tensor blk.0.attn_q.weight

#!/usr/bin/env bash
# Installs what the qemu target needs on Debian 12: clang-22, lld-22, llvm-22 from Debian itself and
# qemu-user 11 from trixie-backports, pinned so that nothing else comes from there.
# Does nothing for a tool that is there already. Needs root or sudo.
set -euo pipefail

say() { printf 'hexagon tools: %s\n' "$*" >&2; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

qemu_is_new_enough() {
    local version
    version=$(qemu-hexagon --version 2>/dev/null | sed -n 's/^qemu-hexagon version \([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge 11 ]
}

packages=()
command -v clang-22 >/dev/null || packages+=(clang-22)
command -v ld.lld-22 >/dev/null || packages+=(lld-22)
command -v llvm-objdump-22 >/dev/null || packages+=(llvm-22)
if [ ${#packages[@]} -gt 0 ]; then
    say "installing ${packages[*]}"
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
fi

if ! qemu_is_new_enough; then
    say "installing qemu-user 11 from trixie-backports (that one package only)"
    # The mirror and keyring that this machine's bookworm already uses.
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || true)
    as_root tee /etc/apt/sources.list.d/hmx-trixie-backports.sources >/dev/null <<EOF
Types: deb
URIs: ${mirror:?no Debian mirror found in /etc/apt; add trixie-backports by hand}
Suites: trixie-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
    as_root tee /etc/apt/preferences.d/hmx-trixie-backports >/dev/null <<EOF
Package: *
Pin: release n=trixie-backports
Pin-Priority: 1
EOF
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends -t trixie-backports qemu-user >&2
fi

qemu_is_new_enough || { say "qemu-hexagon is still older than 11: $(qemu-hexagon --version 2>/dev/null | head -n 1)"; exit 2; }
say "clang-22, lld-22, llvm-22 and $(qemu-hexagon --version | head -n 1) are there"

#!/usr/bin/env bash
# Fetches the sources of ggml-hexagon into cargo's registry and prints the folder `llama.cpp`.
# They are those of the crate that host/ggml/fetch/Cargo.toml names; nothing is built.
set -euo pipefail
manifest=$(dirname "$0")/../host/ggml/fetch/Cargo.toml
cargo fetch --quiet --locked --manifest-path "$manifest"
cargo metadata --format-version 1 --locked --offline --manifest-path "$manifest" |
    sed -n 's/.*"manifest_path":"\([^"]*llama-cpp-sys-2-[^"]*\)Cargo.toml".*/\1llama.cpp/p'

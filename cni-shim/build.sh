#!/bin/sh
# Builds target/podledger, static and reproducible, where a source is newer than it. CC names another compiler.
set -eu
cd "$(dirname "$0")"
cc=${CC:-cc}
command -v "$cc" >/dev/null || { echo "no C compiler: install gcc and libc6-dev, or name one in CC" >&2; exit 1; }
mkdir -p target
if [ -x target/podledger ] && [ -z "$(find src/main/c build.sh -newer target/podledger)" ]; then exit 0; fi
"$cc" -std=c11 -O2 -Wall -Wextra -Werror -static -s -Wl,--build-id=none -ffile-prefix-map="$PWD"=. \
  -o target/podledger.new src/main/c/*.c
mv target/podledger.new target/podledger

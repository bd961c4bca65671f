#!/bin/sh
# Builds target/podledger, static and reproducible, and beside it what only tests use: the same with
# sanitizers, and the small programs of src/test/c. Nothing is done where no source is newer.
# CC names another compiler.
set -eu
cd "$(dirname "$0")"
cc=${CC:-cc}
command -v "$cc" >/dev/null || { echo "no C compiler: install gcc and libc6-dev, or name one in CC" >&2; exit 1; }
mkdir -p target
strict="-std=c11 -Wall -Wextra -Werror"

# build NAME SOURCES FLAGS...: the sources are a folder or a file
build() {
  name=target/$1 sources=$2
  shift 2
  if [ -x "$name" ] && [ -z "$(find "$sources" build.sh -newer "$name")" ]; then return; fi
  "$cc" $strict "$@" -o "$name.new" $(find "$sources" -name '*.c' | LC_ALL=C sort)
  mv "$name.new" "$name"
}

build podledger src/main/c -O2 -static -s -Wl,--build-id=none -ffile-prefix-map="$PWD"=.
[ "${1:-}" = tests ] || exit 0
build podledger-sanitized src/main/c -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
build receiver src/test/c/receiver.c -O2

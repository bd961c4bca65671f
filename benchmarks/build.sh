#!/bin/sh
# Builds the drivers in src/main/c into target/c, static, where a source is newer than they are.
set -eu
cd "$(dirname "$0")"
shim=../cni-shim/src/main/c
flags="-std=c11 -O2 -Wall -Wextra -Werror -static -s"
mkdir -p target/c
if [ -e target/c/built ] && [ -z "$(find src/main/c "$shim" build.sh -newer target/c/built)" ]; then exit 0; fi
cc=${CC:-cc}
cd src/main/c
shim=../../../../cni-shim/src/main/c
# shellcheck disable=SC2086
{
  $cc $flags -o ../../../target/c/empty empty.c
  $cc $flags -o ../../../target/c/whole whole.c netlink.c common.c
  $cc $flags -pthread -o ../../../target/c/callers callers.c common.c \
    $shim/wire.c $shim/daemon.c $shim/clock.c
}
touch ../../../target/c/built

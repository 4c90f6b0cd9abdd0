#!/usr/bin/env bash
# Sets up what the project builds and tests with, on Debian 12 or newer. This file is the only place that knows the
# pinned versions and where they are kept: ./dev calls it to install, cmake/dependencies.cmake to ask for the paths.
#
#   setup.sh packages GROUP...    installs Debian packages (groups: base, test, charts, instructions, clang, lint, fuzz)
#   setup.sh caf FLAVOUR          fetches and builds CAF (flavours: plain, asan, tsan)
#   setup.sh catch2               fetches Catch2 3
#   setup.sh node                 brings Node.js
#   setup.sh caf-prefix FLAVOUR | catch2-prefix | node-bin    prints the folder, whether or not it is there yet
#
# Whatever is there already is left alone without asking the network.
set -euo pipefail

caf_version=0.18.7
caf_debian_version=0.18.7-1~exp1
caf_sha256=d5c3abe8fd67a729aab1baeece10367637d903ba335f4c79378bcadfbcd34552
node_version_min=22 # what the conformance suite needs
node_version=22.23.3 # the npm package `node`, where the one of the system is too old
npm_version=10.9.9

cache=${CAF_MCP_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/caf-mcp}

say() {
  printf '== %s\n' "$*" >&2
}

die() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a command whose output only matters when it fails.
quietly() {
  local log
  log=$(mktemp)
  if "$@" >"$log" 2>&1 </dev/null; then
    rm -f "$log"
  else
    cat "$log" >&2
    rm -f "$log"
    die "failed: $*"
  fi
}

# Two set-ups of one thing at a time (a build in each of two terminals) must not write the same folder.
lock() {
  mkdir -p "$cache/locks"
  exec 9>"$cache/locks/$1"
  flock 9
}

# --- Debian packages ---------------------------------------------------------

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# grep has to read to the end: apt-cache fails on a pipe that closes early.
is_known() {
  apt-cache show "$1" 2>/dev/null | grep '^Package:' >/dev/null
}

# Prints the first name that is installed, else the first that apt knows: package names differ between releases.
first_package() {
  local name
  for name; do is_installed "$name" && echo "$name" && return; done
  for name; do is_known "$name" && echo "$name" && return; done
  die "apt knows none of: $*"
}

# The oldest Boost that is new enough, for fewer surprises. Process v2 has a library of its own from 1.86 on.
boost_packages() {
  local dev version
  dev=$(first_package libboost1.81-dev libboost1.83-dev libboost1.88-dev libboost1.90-dev)
  version=${dev#libboost}
  version=${version%-dev}
  echo "$dev" "libboost-json$version-dev" "libboost-filesystem$version-dev"
  if dpkg --compare-versions "$version" ge 1.86; then echo "libboost-process$version-dev"; fi
}

group_packages() {
  case $1 in
    base)
      echo g++ make cmake ninja-build ccache ca-certificates libssl-dev libcli11-dev libbenchmark-dev
      boost_packages
      ;;
    test) echo python3 procps openssl ;;
    charts) echo python3 gnuplot-nox ;;
    instructions) echo valgrind python3 ;;
    clang) first_package clang-14 clang ;;
    lint)
      first_package clang-tidy-14 clang-tidy
      first_package clang-format-14 clang-format
      echo shellcheck python3
      ;;
    fuzz) first_package libclang-rt-14-dev libclang-rt-dev ;;
    *) die "no package group '$1'" ;;
  esac
}

# Once a run, and only when something has to be installed. Lists that are a bit old mostly do, too.
update_lists() {
  [ -z "${lists_updated:-}" ] || return 0
  lists_updated=1
  as_root apt-get -q update >/dev/null 2>&1 || say "apt-get update failed; going on with the lists that are there"
}

install_packages() {
  local -a missing=()
  local name
  for name; do is_installed "$name" || missing+=("$name"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  update_lists
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
    --no-install-recommends install "${missing[@]}"
}

# A stamp with the group's own text: the names are worked out once, later runs only ask dpkg.
set_up_packages() {
  local group stamp
  for group; do
    stamp=$cache/packages-$group-$(group_key)
    if [ ! -e "$stamp" ]; then
      update_lists
      group_packages "$group" | xargs >"$stamp.new"
      mv "$stamp.new" "$stamp"
    fi
    # shellcheck disable=SC2046 # words are wanted
    install_packages $(cat "$stamp")
  done
}

group_key() {
  { cat /etc/os-release && declare -f group_packages boost_packages is_known; } | short_hash
}

short_hash() {
  sha256sum | cut -c1-12
}

# --- A private apt: other suites without touching the machine's configuration ----

# The mirror this machine already uses; apt prints one line a configured index.
debian_mirror() {
  local uri
  # shellcheck disable=SC2016 # expanded by apt
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null \
    | grep -E '/debian/?$' | head -n 1 || true)
  uri=${uri:-http://deb.debian.org/debian}
  echo "${uri%/}"
}

codename() {
  # shellcheck source=/dev/null
  (. /etc/os-release && echo "${VERSION_CODENAME:?}")
}

# private_apt SUITE TYPE ARGS...: apt-get that sees only one suite of the mirror.
private_apt() {
  local suite=$1 type=$2 dir=$cache/apt/$1
  shift 2
  mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
  echo "$type [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $suite main" >"$dir/sources.list"
  # The sandbox user cannot write below a home folder; signature and hash are checked all the same.
  apt-get -q \
    -o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::Etc::preferences=- -o Dir::Etc::preferencesparts=- \
    -o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true "$@"
}

# --- CAF ---------------------------------------------------------------------

# Sanitizers must see CAF too: uninstrumented code hides its synchronisation from tsan, its memory from asan.
caf_flags() {
  case $1 in
    plain) echo "-DNDEBUG -O2 -g1" ;;
    asan) echo "-DNDEBUG -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined" ;;
    tsan) echo "-DNDEBUG -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread" ;;
    *) die "no CAF flavour '$1'" ;;
  esac
}

# One option a line. GCC builds every flavour; Clang links them, since both use the same standard library.
caf_options() {
  cat <<OPTIONS
-GNinja
-DCMAKE_CXX_COMPILER=g++
-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
-DCMAKE_BUILD_TYPE=None
-DCMAKE_CXX_FLAGS=$(caf_flags "$1")
-DCMAKE_INSTALL_LIBDIR=lib
-DCMAKE_POSITION_INDEPENDENT_CODE=ON
-DBUILD_SHARED_LIBS=OFF
-DCAF_ENABLE_IO_MODULE=ON
-DCAF_ENABLE_OPENSSL_MODULE=ON
-DCAF_ENABLE_EXAMPLES=OFF
-DCAF_ENABLE_TESTING=OFF
-DCAF_ENABLE_TOOLS=OFF
OPTIONS
}

# The name holds a hash of all that goes in, so that a change of any of it builds a new one.
caf_prefix() {
  local key
  key=$({
    echo "$caf_sha256"
    caf_options "$1"
    g++ -dumpfullversion -dumpmachine 2>/dev/null || true
  } | short_hash)
  echo "$cache/caf-$caf_version-$1-$key"
}

# Prints where the source is, after fetching it where needed.
caf_tarball() {
  local tarball=$cache/actor-framework_$caf_version.orig.tar.gz
  if ! echo "$caf_sha256  $tarball" | sha256sum --check --status 2>/dev/null; then
    say "fetching the source of CAF $caf_version"
    quietly private_apt experimental deb-src update
    (cd "$cache" && quietly private_apt experimental deb-src source --tar-only --download-only "actor-framework=$caf_debian_version")
    rm -r "$cache/apt/experimental"
    echo "$caf_sha256  $tarball" | sha256sum --check --status || die "$tarball does not have the expected SHA-256"
  fi
  echo "$tarball"
}

build_caf() {
  local flavour=$1 prefix=$2 tarball work=$cache/build-$1
  local -a options
  mapfile -t options < <(caf_options "$flavour")
  tarball=$(caf_tarball)
  say "building CAF $caf_version ($flavour): some minutes, once"
  rm -rf "$work"
  mkdir -p "$work/source"
  tar -xf "$tarball" -C "$work/source" --strip-components=1
  quietly cmake -S "$work/source" -B "$work/build" "${options[@]}" "-DCMAKE_INSTALL_PREFIX=$prefix"
  quietly cmake --build "$work/build"
  quietly cmake --install "$work/build"
  rm -rf "$work"
  touch "$prefix/.complete"
}

# Whether CMake finds a CAF that is new enough without our help.
system_has_caf() {
  local probe=$cache/probe
  rm -rf "$probe"
  mkdir -p "$probe"
  cat >"$probe/CMakeLists.txt" <<PROBE
cmake_minimum_required(VERSION 3.25)
project(probe CXX)
find_package(CAF $caf_version REQUIRED COMPONENTS core io openssl)
PROBE
  cmake -S "$probe" -B "$probe/build" >/dev/null 2>&1
}

set_up_caf() {
  local flavour=$1 prefix
  prefix=$(caf_prefix "$flavour")
  [ ! -e "$prefix/.complete" ] || return 0
  # No installed CAF is instrumented for a sanitizer.
  if [ "$flavour" = plain ] && system_has_caf; then return 0; fi
  build_caf "$flavour" "$prefix"
}

# --- Catch2 ------------------------------------------------------------------

catch2_prefix() {
  echo "$cache/catch2-$(codename)"
}

# Catch2 3 is libcatch2-dev. Debian 12 has only version 2, as `catch2`; its backports have 3, one package without
# dependencies that works from any folder.
set_up_catch2() {
  local prefix suite
  prefix=$(catch2_prefix)
  if [ -e "$prefix/.complete" ] || is_installed libcatch2-dev; then return 0; fi
  if is_known libcatch2-dev; then
    install_packages libcatch2-dev
    return 0
  fi
  suite=$(codename)-backports
  say "fetching Catch2 from $suite"
  rm -rf "$prefix"
  mkdir -p "$prefix"
  quietly private_apt "$suite" deb update
  (cd "$prefix" && quietly private_apt "$suite" deb download libcatch2-dev)
  dpkg-deb -x "$prefix"/libcatch2-dev_*.deb "$prefix"
  rm -r "$prefix"/libcatch2-dev_*.deb "$cache/apt/$suite"
  touch "$prefix/.complete"
}

# --- Node.js -----------------------------------------------------------------

is_node_recent() {
  local version
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge "$node_version_min" ]
}

# The folder with `node`, `npm` and `npx`.
node_bin() {
  if is_node_recent node && command -v npm >/dev/null; then
    dirname "$(command -v node)"
  else
    echo "$cache/node-$node_version/node_modules/.bin"
  fi
}

# Where Node is too old (Debian 12 ships 18), its npm brings a newer one from the npm registry, and an npm that runs on
# that.
set_up_node() {
  local dir=$cache/node-$node_version
  if is_node_recent "$(node_bin)/node"; then return 0; fi
  command -v npm >/dev/null || install_packages ca-certificates nodejs npm
  if is_node_recent /usr/bin/node; then return 0; fi
  say "fetching Node.js $node_version"
  mkdir -p "$dir"
  (cd "$dir" && quietly npm install --no-audit --no-fund --prefix "$dir" "node@$node_version" "npm@$npm_version")
}

# --- Commands ----------------------------------------------------------------

main() {
  local command=${1:-}
  [ -n "$command" ] || die "which command? see the head of $0"
  shift
  case $command in
    packages | caf | catch2 | node)
      # Other flavours are other folders; a build of one must not hold up who needs another.
      if [ "$command" = caf ]; then lock "caf-$1"; else lock "$command"; fi
      "set_up_$command" "$@"
      ;;
    caf-prefix | catch2-prefix | node-bin) "${command//-/_}" "$@" ;;
    *) die "no command '$command'" ;;
  esac
}

main "$@"

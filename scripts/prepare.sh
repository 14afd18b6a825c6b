# Sourced by start.sh, test.sh and test-tools.sh: makes a fresh Debian machine with Node and npm ready to build and run
# Ridethrough. Prints what it installs before it does; installs only what is missing; starts no service. What waits for the
# network has a limit, and ends with this script, also when that is killed.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# upsd, sshd and others are in directories outside a normal user's PATH.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

least_node=20.19

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# wrong_usage ARGUMENT USAGE: before anything is installed or built.
wrong_usage() {
  say "wrong argument '$1'"
  printf '%s\n' "$2" >&2
  exit 2
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# limited SECONDS WHAT COMMAND...: its processes end with this script.
limited() {
  local seconds=$1 what=$2 status=0
  shift 2
  # In the background, since a signal interrupts `wait` at once.
  setpriv --pdeathsig TERM timeout --kill-after=3 "$seconds" "$@" &
  wait $! 2>/dev/null || status=$?
  # 137: it had to be killed.
  [ "$status" -ne 124 ] && [ "$status" -ne 137 ] ||
    say "$what did not end within $seconds s: see that the network is there, then run this again"
  return "$status"
}

check_node() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    die "Node.js $least_node or newer and npm are required and were not found." \
      "Debian 13 has them (apt-get install nodejs npm); for Debian 12 see https://github.com/nodesource/distributions."
  fi
  local version
  version=$(node -p process.versions.node)
  [ "$(printf '%s\n%s\n' "$least_node" "$version" | sort -V | head -n 1)" = "$least_node" ] ||
    die "Node.js $least_node or newer is required; 'node' here is $version. Install a newer one or put it first in PATH."
}

# is_there PROBE: a path that exists, or a command in PATH.
is_there() {
  case $1 in
  /*) [ -e "$1" ] ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

# missing_of PROBE=PACKAGE...: prints the Debian packages whose probe is not there.
missing_of() {
  local pair
  for pair; do is_there "${pair%%=*}" || printf '%s\n' "${pair#*=}"; done
}

# need PURPOSE PROBE=PACKAGE...: installs them.
need() {
  local purpose=$1 missing
  shift
  mapfile -t missing < <(missing_of "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "missing for $purpose, installing with apt-get: ${missing[*]}"
  command -v apt-get >/dev/null ||
    die "apt-get was not found. Install the equivalents of these Debian packages, then run this again: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    die "this needs root, and sudo was not found. Run as root, then this again: apt-get install ${missing[*]}"
  # It asks for the password here, where it has the terminal.
  [ "$(id -u)" -eq 0 ] || sudo -v || die "this needs root. Run as root, then this again: apt-get install ${missing[*]}"
  apt_install "${missing[@]}" || {
    say "apt-get failed; updating the package lists and trying again"
    # An installation that was killed leaves packages without their configuration.
    as_root dpkg --configure -a >&2
    apt_update && apt_install "${missing[@]}"
  } || die "apt-get could not install: ${missing[*]}. See its messages above; with the network there, run this again."
}

# Two scripts side by side wait for each other: the lock is on the folder, apt's own is not waited for by `update`.
apt_update() { limited 300 'apt-get update' "${privileged[@]}" flock /var/lib/dpkg apt-get update -q >&2; }

apt_install() {
  limited 900 "apt-get install $*" "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive flock /var/lib/dpkg \
    apt-get install -q -y --no-install-recommends "$@" >&2
}

privileged=()
[ "$(id -u)" -eq 0 ] || privileged=(sudo)

# The headers of the running node, wherever it is installed: without them the compiler would look for them on nodejs.org.
node_prefix() {
  local prefix
  prefix=$(dirname "$(dirname "$(readlink -f "$(node -p process.execPath)")")")
  [ ! -e "$prefix/include/node/node.h" ] || printf '%s\n' "$prefix"
}

# What node_modules was made for, and whether it is whole.
stamp=node_modules/.installed-for
wanted_packages() { printf '%s %s\n' "$(sha256sum <package-lock.json)" "$(node -p 'process.version + process.arch')"; }
has_packages() { [ "$(cat "$stamp" 2>/dev/null)" = "$(wanted_packages)" ]; }

fetch_packages() {
  has_packages && return
  say "installing the npm packages of package-lock.json (about 15 s)"
  # Without the network npm tries every package again, for many minutes: one is asked for first, past npm's cache,
  # which answers without the network.
  rm -rf node_modules/.asked
  limited 30 'asking for one of them' npm view --cache=node_modules/.asked --fetch-retries=0 mocha version >/dev/null ||
    die "npm does not reach $(npm config get registry): see that the network is there, then run this again"
  limited 300 "npm ci, from $(npm config get registry)," npm ci --ignore-scripts --no-audit --no-fund >&2 ||
    die "npm could not install the packages of package-lock.json. See its messages above; with the network there, run this again."
}

compilers=(g++=g++ make=make python3=python3 /usr/include/sqlite3.h=libsqlite3-dev)

# sqlite3 is compiled here against Debian's SQLite: nothing is fetched but from the npm registry, and it takes 8 s.
rebuild_sqlite() {
  has_packages && return
  local prefix
  local settings=(npm_package_config_node_gyp_sqlite=/usr npm_config_build_from_source=true)
  need 'compiling sqlite3' "${compilers[@]}"
  prefix=$(node_prefix)
  # Debian's own node has its headers in a package of their own.
  if [ -z "$prefix" ] && [ "$(node -p process.execPath)" = /usr/bin/node ]; then
    need "compiling sqlite3" /usr/include/node/node.h=libnode-dev
    prefix=$(node_prefix)
  fi
  if [ -n "$prefix" ]; then
    settings+=("npm_package_config_node_gyp_nodedir=$prefix")
  else
    say "the headers of $(node -p process.execPath) (include/node/node.h) were not found; npm will look for them on nodejs.org"
  fi
  limited 300 'compiling sqlite3' env "${settings[@]}" npm rebuild sqlite3 >&2 ||
    die "sqlite3 could not be compiled. See the messages above, then run this again."
  wanted_packages >"$stamp"
}

prepare() {
  check_node
  fetch_packages
  rebuild_sqlite
  say "building"
  npm run --silent build
}

# Sourced by start.sh and test.sh: makes a fresh Debian machine with Node and npm ready to build and run Ridethrough.
# Prints what it installs before it does; installs only what is missing; starts no service.
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

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
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

# need PURPOSE PROBE=PACKAGE...: installs the Debian packages whose probe is not there.
need() {
  local purpose=$1 pair missing=()
  shift
  for pair in "$@"; do
    is_there "${pair%%=*}" || missing+=("${pair#*=}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "missing for $purpose, installing with apt-get: ${missing[*]}"
  command -v apt-get >/dev/null ||
    die "apt-get was not found. Install the equivalents of these Debian packages, then run this again: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    die "this needs root, and sudo was not found. Run as root: apt-get install ${missing[*]}"
  apt_install "${missing[@]}" || {
    say "apt-get failed; updating the package lists and trying again"
    as_root apt-get update -q >&2 && apt_install "${missing[@]}"
  } || die "apt-get could not install: ${missing[*]}. See its messages above."
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2
}

# The headers of the running node, wherever it is installed: without them the compiler would look for them on nodejs.org.
node_prefix() {
  local prefix
  prefix=$(dirname "$(dirname "$(readlink -f "$(node -p process.execPath)")")")
  [ ! -e "$prefix/include/node/node.h" ] || printf '%s\n' "$prefix"
}

# sqlite3 is compiled here against Debian's SQLite: nothing is fetched but from the npm registry, and it takes 8 s.
install_packages() {
  local prefix wanted stamp=node_modules/.installed-for
  local settings=(npm_package_config_node_gyp_sqlite=/usr npm_config_build_from_source=true)
  wanted="$(sha256sum <package-lock.json) $(node -p 'process.version + process.arch')"
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  need 'compiling sqlite3' g++=g++ make=make python3=python3 /usr/include/sqlite3.h=libsqlite3-dev
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
  say "installing the npm packages of package-lock.json (about 15 s)"
  env "${settings[@]}" npm ci --no-audit --no-fund >&2
  printf '%s\n' "$wanted" >"$stamp"
}

prepare() {
  check_node
  install_packages
  say "building"
  npm run --silent build
}

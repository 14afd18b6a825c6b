#!/usr/bin/env bash
# Builds what is installed elsewhere: the packages of the distributions, of npm and of container engines.
#   scripts/package.sh deb                       builds the Debian package into dist/packages
#   scripts/package.sh rpm                       builds the rpm
#   scripts/package.sh npm                       builds the npm package
#   scripts/package.sh oci                       lays out what a container image is built from, in dist/packages/oci
#   scripts/package.sh --check deb               ... and checks it, on every Debian (about 10 minutes; needs root)
#   scripts/package.sh --check rpm               ... and checks it, in a Debian root with the database of rpm (2 minutes; needs root)
#   scripts/package.sh --check oci               ... and builds and runs the image with podman (2 minutes; needs root)
# The packages are for the architecture of this machine, amd64 or arm64.
# Options: --arch amd64|arm64 (another one than this machine's is compiled for it; --check deb tries its command in an emulator), --output DIR, --revision N (of the package, for the same version; default 1), --no-build (packs the tree as it is built), --quick (compresses little, for tests).

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"
# shellcheck source=scripts/packaging/stage.sh
. scripts/packaging/stage.sh
# shellcheck source=scripts/packaging/foreign.sh
. scripts/packaging/foreign.sh
# shellcheck source=scripts/packaging/debian.sh
. scripts/packaging/debian.sh
# shellcheck source=scripts/packaging/rpm.sh
. scripts/packaging/rpm.sh
# shellcheck source=scripts/packaging/check.sh
. scripts/packaging/check.sh
# shellcheck source=scripts/packaging/oci-check.sh
. scripts/packaging/oci-check.sh
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

usage() {
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

output=dist/packages
architecture=$(dpkg --print-architecture)
version=$(node -p 'require("./package.json").version')
revision=1
compression=
build=yes
check=
forms=()
while [ $# -gt 0 ]; do
  case $1 in
  deb | rpm | npm | oci) forms+=("$1") ;;
  --arch) architecture=${2-} && shift ;;
  --output) output=${2-} && shift ;;
  --revision) revision=${2-} && shift ;;
  --check) check=yes ;;
  --no-build) build= ;;
  --quick) compression='-Zgzip -z1' ;;
  *) usage ;;
  esac
  shift
done
# Another form with --check would pass without one.
[ -z "$check" ] || [[ "${forms[*]}" =~ ^(deb|rpm|oci)$ ]] || die "--check goes with one of deb, rpm and oci: npm is checked by the tests"
[ ${#forms[@]} -gt 0 ] && [ -n "$output" ] && [[ $revision =~ ^[0-9]+$ ]] || usage

[ -z "$check" ] || [ "${forms[*]}" = deb ] || ! is_foreign "$architecture" || die "for another architecture --check goes with deb alone"
triplet_of "$architecture" >/dev/null

# The same tree gives the same packages.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y package.json)}
umask 022
[ -z "$build" ] || prepare
mkdir -p "$output"
output=$(cd "$output" && pwd)
build_npm() {
  built=$1/$(npm pack --silent --ignore-scripts --pack-destination "$1") || die 'npm packs nothing'
  say "built $built"
}

build_oci() {
  rm -rf "$1/oci"
  cp -r scripts/packaging/oci "$1/oci"
  build_deb "$1/oci" "$2" "$3" "$4" "$5"
  mv "$built" "$1/oci/ridethrough.deb"
  built=$1/oci
  say "build the image with one of: podman build -t ridethrough:local $1/oci; docker build -t ridethrough:local -f $1/oci/Containerfile $1/oci"
}

for form in "${forms[@]}"; do
  "build_$form" "$output" "$architecture" "$version" "$revision" "$compression"
  [ -z "$check" ] || "check_$form" "$built"
done

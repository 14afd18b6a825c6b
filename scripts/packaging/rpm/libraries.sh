#!/usr/bin/env bash
# Makes an rpm that provides what a Debian root has of libraries and programs, so that the dependencies of the rpm of
# Ridethrough are resolved there by what the libraries really are. For its tests. Usage: libraries.sh ROOT OUTPUT
set -euo pipefail

root=$1
output=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sqlite=$(dpkg-query --admindir="$root/var/lib/dpkg" --show --showformat '${Version}' libsqlite3-0)
{
  printf '%s\n' 'Name: libraries' 'Version: 1' 'Release: 1' 'Summary: what this root has' 'License: none' 'BuildArch: noarch' \
    "Provides: sqlite-libs = ${sqlite%%-*}"
  for program in /bin/sh /usr/bin/{systemd-sysusers,systemd-tmpfiles,setpriv,flock}; do
    [ ! -x "$root$program" ] || printf 'Provides: %s\n' "$program"
  done
  find "$root"/usr/lib/*-linux-gnu -maxdepth 1 -name '*.so*' -type f | /usr/lib/rpm/elfdeps --provides |
    sort -u | sed 's/^/Provides: /'
  printf '%s\n' '%description' '%files'
} >"$work/libraries.spec"
rpmbuild --quiet -bb --define "_topdir $work" --define "_rpmdir $output" --define '_rpmfilename libraries.rpm' "$work/libraries.spec"

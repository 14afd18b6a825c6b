# Sourced by package.sh: what takes too long for every run of the tests. Needs root and the network.
# shellcheck shell=bash

suites=(bookworm trixie)

# check_deb: of the package that was built, lintian, the same bytes from a second build, the dependencies by apt alone, and the tests of upgrades on
# every Debian.
check_deb() {
  local file=$built again suite
  need 'the check of the package' lintian=lintian mmdebstrap=mmdebstrap
  say 'lintian'
  lintian --fail-on error,warning --no-tag-display-limit "$file"
  say 'building it again'
  again=$(mktemp -d)
  build_deb "$again" "$architecture" "$version" "$revision" "$compression"
  cmp "$file" "$again/${file##*/}" || die 'a second build is another package'
  rm -rf "$again"
  for suite in "${suites[@]}"; do
    say "installing it in a Debian $suite that apt makes by its dependencies alone"
    mmdebstrap --quiet --variant=essential --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount --include="$file" \
      --customize-hook='chroot "$1" ridethrough validate >/dev/null' "$suite" - >/dev/null
    say "the tests of upgrades on Debian $suite"
    make_root "$suite" systemd-standalone-sysusers systemd-standalone-tmpfiles libsqlite3-0 libstdc++6
    DEBIAN_SUITE=$suite node_modules/.bin/mocha --exit dist/test/integration/packages/debian.test.js
  done
  say "$file is as it should be"
}

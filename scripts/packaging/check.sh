# Sourced by package.sh: what takes too long for every run of the tests. Needs root and the network.
# shellcheck shell=bash

suites=(bookworm trixie)

# same_again FORM: a second build of the package in $built has the same bytes.
same_again() {
  local file=$built again
  say 'building it again'
  again=$(mktemp -d)
  "build_$1" "$again" "$architecture" "$version" "$revision" "$compression"
  cmp "$file" "$again/${file##*/}" || die 'a second build is another package'
  rm -rf "$again"
}

# check_deb: of the package that was built, lintian, the same bytes from a second build, the dependencies by apt alone, and the tests of upgrades on
# every Debian.
check_deb() {
  local file=$built suite
  if is_foreign "$architecture"; then
    check_emulated "$file"
    return
  fi
  need 'the check of the package' lintian=lintian mmdebstrap=mmdebstrap
  say 'lintian'
  lintian --fail-on error,warning --no-tag-display-limit "$file"
  same_again deb
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

# check_emulated FILE: the two programs of machine code of a package for another architecture run in an emulator, over the libraries
# that it was linked with. What starts further processes cannot run there: no daemon, no installation.
check_emulated() {
  local work machine emulated
  machine=$(triplet_of "$architecture")
  machine=${machine%%-*}
  take_out 'the check of the package' "qemu-$machine-static" qemu-user-static
  work=$(mktemp -d)
  dpkg-deb --extract "$1" "$work"
  emulated=("qemu-$machine-static" -L "$(foreign_libraries "$architecture")/root" "$work/usr/lib/ridethrough/bin/node")
  [ "$("${emulated[@]}" "$work/usr/lib/ridethrough/dist/scripts/ridethrough.js" version)" = "ridethrough $version" ] ||
    die 'its command does not run'
  "${emulated[@]}" -e 'const { Database } = require(process.argv[1]);
    new Database(":memory:").get("SELECT unixepoch() AS now", (error, row) => process.exit(error || !(row.now > 0) ? 1 : 0))' \
    "$work/usr/lib/ridethrough/node_modules/sqlite3" || die 'its sqlite3 does not run'
  rm -rf "$work"
  say "$1: its command and its sqlite3 run on an emulated $machine; nothing else was tried"
}

# check_rpm: rpmlint, the same bytes from a second build, the dependencies by dnf, and the tests of upgrades, in a Debian root:
# no rpm distribution is to be had from Debian's mirrors. Whether its programs find their libraries there is the same.
check_rpm() {
  local file=$built work
  need 'the check of the package' rpmlint=rpmlint dnf=dnf
  say 'rpmlint'
  rpmlint --config scripts/packaging/rpm/rpmlint.toml "$file"
  same_again rpm
  make_root bookworm systemd-standalone-sysusers systemd-standalone-tmpfiles libsqlite3-0 libstdc++6
  say 'installing it with dnf'
  work=$(mktemp -d)
  cp -a "$tools/roots/bookworm" "$work/root"
  scripts/packaging/rpm/libraries.sh "$work/root" "$work"
  # shellcheck disable=SC2016 # the inner shell expands it
  local dnf=(unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec dnf --assumeyes --installroot "$0" --releasever 1 \
    --disablerepo "*" --nogpgcheck "$@"' "$work/root")
  # Without what it needs it does not install.
  ! "${dnf[@]}" install "$file" >/dev/null 2>&1 || die 'it installs without its dependencies'
  "${dnf[@]}" install "$work/libraries.rpm" "$file" 2>&1 | tee "$work/log" >&2
  chroot "$work/root" ridethrough --version
  chroot "$work/root" ridethrough validate >/dev/null
  "${dnf[@]}" remove ridethrough 2>&1 | tee -a "$work/log" >&2
  # They do not fail dnf.
  ! grep -i 'error in .*scriptlet\|scriptlet failed' "$work/log" || die 'a script of the package fails'
  [ ! -e "$work/root/usr/lib/ridethrough" ] || die 'files are left after the removal'
  rm -rf "$work"
  say 'the tests of upgrades'
  node_modules/.bin/mocha --exit dist/test/integration/packages/rpm.test.js
  say "$file is as it should be"
}

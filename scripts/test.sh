#!/usr/bin/env bash
# Installs what the tests need and runs all of them: types, import layers, lint, format, unit and integration tests.
# Ends with the line "N passed, N failed" and with exit code 0 only if nothing failed.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/counts" "$work/failures"

# A check that fails is said and counted; the ones after it run all the same.
check() {
  local name=$1
  shift
  say "$name"
  "$@" || {
    say "FAILED: $name"
    printf '%s\n' "$name" >>"$work/failures"
  }
}

# Shows the tests as they run and keeps the report's totals, the lines "  12 passing (3s)", and its failures.
mocha() {
  local status=0
  report=$(mktemp "$work/report.XXXXXX")
  # A failing test may leave something open that keeps the program alive: it is ended, not waited for.
  timeout --kill-after=10 1500 npx --no-install mocha --exit "$@" 2>&1 | tee "$report" || status=$?
  grep -E '^  [0-9]+ (passing|failing|pending)( |$)' "$report" >>"$work/counts" || true
  sed -n '/^  [0-9]* failing/,$p' "$report" >>"$work/details"
  return $status
}

# Tests that wait for seconds of real time beside everything else. On a machine that is busier than they allow for, one
# may fail that has no fault; so the files in which something failed run once more when nothing else does, and that is
# said. Who fails alone too has failed.
in_real_time() {
  local status=0 files failing
  mocha --timeout 60000 "$@" && return
  failing=$(awk '$2 == "failing" { print $1 }' "$report")
  files=$(failed_files "$report") || status=$?
  [ $status -eq 0 ] && [ "${failing:-0}" -gt 0 ] && [ "$failing" -le 10 ] || return 1
  printf '%s\n' "$files" >>"$work/again"
  printf '  -%s failing\n  %s passing\n' "$failing" "$failing" >>"$work/counts"
}

# The files of the tests that a report names as failed, as they are compiled; fails when a failure names none.
failed_files() {
  awk '/^  [0-9]+ failing/ { listed = 1; next }
    !listed { next }
    /^  [0-9]+\) / { failures++ }
    match($0, /test\/integration\/[^ :()]+\.test\.[jt]s/) {
      files["dist/" substr($0, RSTART, RLENGTH - 2) "js"]
      if (!(failures in named)) { named[failures]; known++ }
    }
    END { for (file in files) print file; exit (known < failures || failures == 0) }' "$1"
}

total() { awk -v word="$1" '$2 == word { sum += $1 } END { print sum + 0 }' "$work/counts"; }

# Programs of packages that would start a server on this machine if they were installed are taken out of them instead,
# with the libraries that are missing here, and live beside the npm packages.
tools=$PWD/node_modules/.cache/ridethrough-tools
export PATH="$tools/bin:$PATH"

# take_out PURPOSE PROGRAM PACKAGE [ARGUMENT...]: {lib} in an argument stands for the folder of the libraries.
take_out() {
  local purpose=$1 program=$2 package=$3 found lib
  shift 3
  command -v "$program" >/dev/null && return
  unpack "$purpose" "$program" "$package"
  found=$(find "$tools/usr" -name "$program" -type f -perm -u+x -print -quit)
  lib=$(find "$tools/usr/lib" -maxdepth 1 -name '*-linux-gnu*' -print -quit)
  # shellcheck disable=SC2016 # the script itself expands the rest
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" %s "$@"\n' "$lib" "$found" "${*//\{lib\}/$lib}" >"$tools/bin/$program"
  chmod +x "$tools/bin/$program"
}

# A library that only tests load, where they look for it. Without it they skip aloud what needs it.
take_out_library() {
  local purpose=$1 library=$2 package=$3
  [ -z "$(find /usr/lib "$tools/usr/lib" -name "$library" -print -quit 2>/dev/null)" ] || return 0
  unpack "$purpose" "$library" "$package"
}

unpack() {
  local purpose=$1 what=$2 package=$3 found
  say "missing for $purpose: $what; taking it out of the Debian package $package, which is not installed"
  [ ! -e "$tools/packages/$package.taken" ] || return 0
  # Its libraries may all be installed here: then it brings no folder of them.
  mkdir -p "$tools/bin" "$tools/packages" "$tools/usr/lib"
  download_for "$package" || { as_root apt-get update -q >&2 && download_for "$package"; } ||
    die "$what could not be had. Install it (Debian: apt-get install $package) and run this again."
  for found in "$tools"/packages/*.deb; do dpkg-deb -x "$found" "$tools"; done
  rm -f "$tools"/packages/*.deb
  touch "$tools/packages/$package.taken"
}

# The package, and of what it needs the libraries that are not installed.
download_for() {
  local names
  # What would be installed, also where it lies in apt's cache already, of which --print-uris says nothing.
  names=$(apt-get install --simulate --no-install-recommends "$1" |
    awk -v wanted="$1" '$1 == "Inst" && ($2 == wanted || $2 ~ /^lib/ && $2 !~ /^libjs/) { print $2 }') || return
  # shellcheck disable=SC2086 # a word each
  (cd "$tools/packages" && apt-get download -q ${names:-$1}) >&2
}

# sshd does not run taken out of its package: it wants a user of its own. While the package is installed no service of
# this machine may be started (invoke-rc.d asks policy-rc.d).
install_sshd() {
  local policy=/usr/sbin/policy-rc.d ours=
  [ ! -x /usr/sbin/sshd ] || return 0
  if [ ! -e "$policy" ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | as_root install -m 755 /dev/stdin "$policy"
  fi
  need 'the tests of remote servers' /usr/sbin/sshd=openssh-server
  [ -z "$ours" ] || as_root rm -f "$policy"
}

# What was compiled from a test that is gone would still run.
rm -rf dist
prepare
need 'the tests' upsc=nut-client /lib/nut/upsd=nut-server certutil=libnss3-tools openssl=openssl python3=python3 \
  ssh-keygen=openssh-client systemd-analyze=systemd setpriv=util-linux ip=iproute2 mkfs.ext4=e2fsprogs virsh=libvirt-clients logger=bsdutils \
  /usr/bin/chromium=chromium
install_sshd
take_out 'the tests of the metrics' promtool prometheus
take_out 'the tests of MQTT' mosquitto mosquitto
take_out 'the tests of MQTT' mosquitto_passwd mosquitto
take_out 'the tests of syslog' rsyslogd rsyslog -M '{lib}/rsyslog'
take_out_library 'the tests of a clock that is set' libfaketimeMT.so.1 libfaketime

# What starts the whole daemon and waits for seconds of real time runs beside everything else. That has a lower priority,
# so that it takes only the processor time the daemon leaves, and is shown when it has ended.
whole='{daemon,demo,sequence,sequence-local,drill,prober,ssh,auth,security,supervision,torture}'
everything_else() {
  check 'types of the policy' npm run --silent build:policy
  check 'import layers' npm run --silent layers
  check 'lint' npm run --silent lint
  check 'format' npm run --silent format
  # A test that hangs is ended by its limit; how long an honest one takes on a busy machine is no failure.
  check 'unit tests' mocha --timeout 20000 'dist/test/**/*.test.js' --exclude 'dist/test/{integration,simulation,mutation}/**'
  check 'broken policies' mocha 'dist/test/mutation/**/*.test.js'
  check 'integration tests of the parts' in_real_time 'dist/test/integration/**/*.test.js' \
    --exclude "dist/test/integration/$whole/**"
}

# Both processors for it alone: then it takes half the time it takes beside the others.
check 'simulated outages' mocha 'dist/test/simulation/**/*.test.js'

# A process group of its own, to be ended as a whole when this script is interrupted.
set -m
{
  renice -n 10 -p "$BASHPID" >/dev/null
  everything_else
} >"$work/beside" 2>&1 &
beside=$!
set +m
trap 'kill -- -"$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
check 'integration tests of the daemon' in_real_time "dist/test/integration/$whole/**/*.test.js"
say 'waiting for the checks and tests that run beside'
wait "$beside" || printf '%s\n' 'checks and tests beside' >>"$work/failures"
cat "$work/beside"

if [ -s "$work/again" ]; then
  say "failed beside everything else, and run once more alone: $(sort -u "$work/again" | paste -s -d ' ')"
  before=$(($(total passing) + $(total failing)))
  mapfile -t files < <(sort -u "$work/again")
  check 'what failed, once more' mocha --timeout 60000 "${files[@]}"
  # All of them are counted already, as passed.
  printf '  -%s passing\n' "$(($(total passing) + $(total failing) - before))" >>"$work/counts"
fi

# The last that is seen is what went wrong, at whichever try.
[ ! -s "$work/details" ] || {
  say 'what went wrong on the way:'
  cat "$work/details"
}

passed=$(total passing)
failed=$(total failing)
skipped=$(total pending)
[ ! -s "$work/failures" ] || say "failed: $(paste -s -d ';' "$work/failures")"
# A check that failed without a failing test (lint, or mocha itself) is a failure too.
[ "$failed" -gt 0 ] || failed=$(wc -l <"$work/failures")
printf '%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" -eq 0 ] || printf ', %s skipped' "$skipped")"
[ "$failed" -eq 0 ]

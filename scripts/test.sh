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

# Shows the tests as they run and keeps the report's totals, the lines "  12 passing (3s)".
mocha() {
  local report status=0
  report=$(mktemp "$work/report.XXXXXX")
  # A failing test may leave something open that keeps the program alive: it is ended, not waited for.
  timeout --kill-after=10 1500 npx --no-install mocha --exit "$@" 2>&1 | tee "$report" || status=$?
  grep -E '^  [0-9]+ (passing|failing|pending)( |$)' "$report" >>"$work/counts" || true
  return $status
}

total() { awk -v word="$1" '$2 == word { sum += $1 } END { print sum + 0 }' "$work/counts"; }

# promtool alone is taken out of its package: installing it would start a Prometheus server on this machine.
provide_promtool() {
  command -v promtool >/dev/null && return
  local tools=$PWD/node_modules/.cache/ridethrough-tools
  export PATH="$tools/usr/bin:$PATH"
  command -v promtool >/dev/null && return
  say "missing for the tests of the metrics: promtool; taking it out of the Debian package prometheus, which is not installed"
  mkdir -p "$tools"
  (cd "$tools" && { apt-get download -q prometheus || { as_root apt-get update -q && apt-get download -q prometheus; }; } &&
    dpkg-deb -x prometheus_*.deb . && rm -f prometheus_*.deb) >&2 ||
    die "promtool could not be had. Put one in PATH (Debian: apt-get install prometheus) and run this again."
}

# What was compiled from a test that is gone would still run.
rm -rf dist
prepare
need 'the tests' upsc=nut-client /lib/nut/upsd=nut-server certutil=libnss3-tools openssl=openssl python3=python3 \
  systemd-analyze=systemd setpriv=util-linux logger=bsdutils /usr/bin/chromium=chromium
provide_promtool

# The whole daemon, with its seconds of real time, runs beside everything else. That has a lower priority, so that it
# takes only the processor time the daemon leaves, and is shown when it has ended.
everything_else() {
  check 'types of the policy' npm run --silent build:policy
  check 'import layers' npm run --silent layers
  check 'lint' npm run --silent lint
  check 'format' npm run --silent format
  check 'unit tests' mocha 'dist/test/**/*.test.js' --exclude 'dist/test/{integration,simulation,mutation}/**'
  check 'simulated outages' mocha 'dist/test/simulation/**/*.test.js'
  check 'broken policies' mocha 'dist/test/mutation/**/*.test.js'
  check 'integration tests of the parts' mocha --timeout 60000 'dist/test/integration/**/*.test.js' \
    --exclude 'dist/test/integration/{daemon,demo}/**'
}

# A process group of its own, to be ended as a whole when this script is interrupted.
set -m
{
  renice -n 10 -p "$BASHPID" >/dev/null
  everything_else
} >"$work/beside" 2>&1 &
beside=$!
set +m
trap 'kill -- -"$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
check 'integration tests of the daemon' mocha --timeout 60000 'dist/test/integration/{daemon,demo}/**/*.test.js'
say 'waiting for the checks and tests that run beside'
wait "$beside" || printf '%s\n' 'checks and tests beside' >>"$work/failures"
cat "$work/beside"

passed=$(total passing)
failed=$(total failing)
skipped=$(total pending)
[ ! -s "$work/failures" ] || say "failed: $(paste -s -d ';' "$work/failures")"
# A check that failed without a failing test (lint, or mocha itself) is a failure too.
[ "$failed" -gt 0 ] || failed=$(wc -l <"$work/failures")
printf '%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" -eq 0 ] || printf ', %s skipped' "$skipped")"
[ "$failed" -eq 0 ]

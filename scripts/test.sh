#!/usr/bin/env bash
# Installs what the tests need and runs all of them: types, import layers, lint, format, unit and integration tests.
# With --fast only what needs no server: types, import layers, lint and unit tests.
# Ends with the line "N passed, N failed" and with exit code 0 only if nothing failed. No test is run a second time.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

fast=
case $* in
'') ;;
--fast) fast=yes ;;
*)
  say "unknown arguments: $*; usage: scripts/test.sh [--fast]"
  exit 2
  ;;
esac

# Seconds for one call of mocha: ten times what the longest takes on two free processors.
limit=4000

work=$(mktemp -d)
touch "$work/counts" "$work/failures" "$work/details"
lanes=()
clean_up() {
  local pid
  # A lane is a process group of its own, to be ended as a whole when this script is interrupted.
  for pid in "${lanes[@]}"; do kill -- -"$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT

# A check that fails is said and counted; the ones after it run all the same.
check() {
  local name=$1 begun=$SECONDS
  shift
  say "$name"
  if "$@"; then
    say "$name: passed in $((SECONDS - begun)) s"
  else
    say "FAILED: $name"
    printf '%s\n' "$name" >>"$work/failures"
  fi
}

# Shows the tests as they end and keeps the report's totals, the lines "  12 passing (3s)", and its failures. What does not
# end within its limit is ended, and the tests that ran then are named.
mocha() {
  local status=0 report running
  report=$(mktemp "$work/report.XXXXXX")
  running=$(mktemp -d "$work/running.XXXXXX")
  # A failing test may leave something open that keeps the program alive: it is ended, not waited for.
  RUNNING_TESTS=$running timeout --kill-after=10 "$limit" node_modules/.bin/mocha --exit \
    --require ./dist/test/fixtures/running-test.js "$@" 2>&1 | tee "$report" || status=$?
  grep -E '^  [0-9]+ (passing|failing|pending)( |$)' "$report" >>"$work/counts" || true
  sed -n '/^  [0-9]* failing/,$p' "$report" >>"$work/details"
  if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    { printf 'did not end within %s s; what ran then:\n' "$limit" && cat "$running"/*; } | tee -a "$work/details"
  fi
  return $status
}

total() { awk -v word="$1" '$2 == word { sum += $1 } END { print sum + 0 }' "$work/counts"; }

# beside NICE FUNCTION: a lane that runs beside the others and is shown when it has ended.
beside() {
  set -m
  {
    renice -n "$1" -p "$BASHPID" >/dev/null
    "$2"
  } >"$work/$2" 2>&1 &
  lanes+=($!)
  set +m
}

sources() {
  check 'types of the policy' npm run --silent build:policy
  check 'import layers' npm run --silent layers
  check 'lint' npm run --silent lint
}

# Three files at a time, since some wait. Some start programs that have to answer within seconds of real time, so nothing of
# more weight runs beside them. A test that hangs is ended by the limit in package.json; how long an honest one takes on a
# busy machine is no failure.
units() {
  check 'unit tests' mocha --parallel --jobs 3 'dist/test/**/*.test.js' \
    --exclude 'dist/test/{integration,simulation,mutation}/**'
}

build() {
  say 'building'
  npm run --silent build
}

built_units() { build && units; }

# Tests that start the whole daemon and wait for seconds of real time, two files at a time. The folders of the longest files
# come first: a long file that begins last runs alone in the end.
longest='dist/test/integration/{sequence,torture,security,prober,supervision}/**/*.test.js'
daemons='dist/test/integration/{daemon,drill,auth,demo,sequence-local}/**/*.test.js'
integration() {
  check 'integration tests of the daemon' mocha --parallel --jobs 2 "$longest" "$daemons" \
    --exclude "$waits"
}

# Tests of one part that mostly wait: for the poll interval of a script, for a time limit. They use a tenth of a processor,
# so four files run at a time.
waits='dist/test/integration/{ssh,nut,simulated-upsd,prober/probe*,notify/{http,mail,misb}*,mqtt/misb*,storage/disk*,packages}{,/**}'
waiting() {
  check 'integration tests that wait' mocha --parallel --jobs 4 "$waits.test.js"
}

parts() {
  # Two years of history are the longest of them.
  check 'integration tests of the parts' mocha --parallel --jobs 2 \
    'dist/test/integration/'{'storage','!(storage)'}'/**/*.test.js' --exclude "$longest" --exclude "$daemons" --exclude "$waits"
}

# Policy in many worlds takes half the time on the newest release. Every other test runs on the node of this machine.
on_newest_node() { PATH=${newest_node:+$newest_node:}$PATH "$@"; }

all_sources() {
  sources
  check 'format' npm run --silent format
}

# What only computes uses both processors when the daemons have ended.
computing() {
  check 'broken policies' on_newest_node mocha 'dist/test/mutation/**/*.test.js'
  check 'simulated outages' on_newest_node mocha 'dist/test/simulation/**/*.test.js'
}

# What was compiled from a test that is gone would still run.
rm -rf dist
check_node
install_packages
[ -n "$fast" ] || {
  install_tools
  newest_node=$(release_of_node 24.21.0) || say "it could not be had: simulated outages run on $(node --version)"
}
# Downloads may need it. Node 20 reads all these certificates whenever a process starts, and the tests start thousands.
unset NODE_EXTRA_CA_CERTS
# Types, layers and lint read the sources: they need no build.
if [ -n "$fast" ]; then
  beside 0 built_units
  sources
else
  beside 10 all_sources
  build
  units
  beside 0 waiting
  beside 5 parts
  integration
  computing
  say 'waiting for the tests and checks that run beside'
fi
for lane in "${lanes[@]}"; do wait "$lane" || printf '%s\n' 'tests and checks beside' >>"$work/failures"; done
lanes=()
for shown in built_units all_sources waiting parts; do [ ! -s "$work/$shown" ] || cat "$work/$shown"; done

[ ! -s "$work/details" ] || {
  say 'what went wrong:'
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

#!/usr/bin/env bash
# Installs what the tests need, builds, and plays them: scripts/test.sh [--all | --units] [--installed] [FILE...]
# Without an argument: checks of the sources, unit tests, and each promise once. --all is everything; --installed installs and
# builds nothing; with files or folders of test/ only those are played. docs/verification.md says what runs where and why.
# Ends with the line "N passed, N failed" and with exit code 0 only if nothing failed. No test is run a second time.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"

usage='usage: scripts/test.sh [--all | --units] [--installed] [FILE...]'
installed=
all=
arguments=()
for argument; do
  case $argument in
  -h | --help)
    printf '%s\n' "$usage" 'Installs what is missing, builds, and plays the tests, or only those of the files or folders.' \
      '  --all         everything' '  --units       unit tests alone' '  --installed   installs and builds nothing'
    exit
    ;;
  --installed) installed=yes ;;
  --all | --units | --write-times | [!-]*)
    [ "$argument" != --all ] || all=other_
    arguments+=("$argument")
    ;;
  *) wrong_usage "$argument" "$usage" ;;
  esac
done

for signal in HUP INT TERM; do
  # shellcheck disable=SC2064 # the signal of this turn
  trap "say 'stopped by SIG$signal; run it again: what is half installed is made anew'; exit 130" "$signal"
done

# at_once STEP...: side by side. They end with this script, also when it is killed.
at_once() {
  local step pid failed='' steps=()
  for step; do
    setpriv --pdeathsig TERM scripts/test-tools.sh "$step" &
    steps+=($!)
  done
  for pid in "${steps[@]}"; do wait "$pid" || failed=yes; done
  [ -z "$failed" ] || exit 1
}

if [ -z "$installed" ]; then
  check_node
  # Held by every process that installs, also by one that is just ending with a run that was stopped.
  exec 9<package.json
  flock --wait 600 9 || die 'another run still installs here: run this again once it has ended'
  at_once "${all}debian" build
  at_once sqlite prometheus mosquitto rsyslog files ${all:+engines proxies root site node npm_cache}
else
  at_once "${all}check"
fi
# The same process: it gets the signals.
exec node dist/test/run/main.js ${arguments[@]+"${arguments[@]}"} 9<&-

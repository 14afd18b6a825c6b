#!/usr/bin/env bash
# Installs what the tests need, builds, and plays them: scripts/test.sh [--all | --units] [--installed] [FILE...]
# Without an argument: checks of the sources, unit tests, and each promise once. --all is everything; --installed installs and
# builds nothing; files or folders of test/ name what else to play. docs/verification.md says what runs where and why.
# Ends with the line "N passed, N failed" and with exit code 0 only if nothing failed. No test is run a second time.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

installed=
all=
arguments=()
for argument; do
  case $argument in
  --installed) installed=yes ;;
  *)
    [ "$argument" != --all ] || all=yes
    arguments+=("$argument")
    ;;
  esac
done

if [ -z "$installed" ]; then
  check_node
  install_packages
  install_tools
  [ -z "$all" ] || install_rest
  say "building"
  # What was compiled from a test that is gone would still run.
  rm -rf dist
  npm run --silent build
elif [ ! -e dist/test/run/main.js ]; then
  die "nothing is built here: run scripts/test.sh without --installed first"
fi
# The same process: it gets the signals.
exec node dist/test/run/main.js ${arguments[@]+"${arguments[@]}"}

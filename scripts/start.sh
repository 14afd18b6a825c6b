#!/usr/bin/env bash
# Builds Ridethrough and runs it on a simulated UPS, dry: nothing on this machine is ever shut down.
# Dashboard and API: http://127.0.0.1:9191/. Options are those of `ridethrough demo`; try --help.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"

usage='usage: scripts/start.sh [--scenario NAME] [--port PORT] [--speed N] [--once]'
expects=
for argument; do
  if [ -n "$expects" ]; then
    expects=
    continue
  fi
  case $argument in
  -h | --help)
    printf '%s\n' "$usage" \
      'Builds Ridethrough and runs it on a simulated UPS, dry, until Ctrl-C. Dashboard and API: http://127.0.0.1:9191/' \
      'Once built, node dist/scripts/ridethrough.js demo --help explains the options.'
    exit
    ;;
  --scenario | --port | --speed) expects=$argument ;;
  --scenario=* | --port=* | --speed=* | --once) ;;
  *) wrong_usage "$argument" "$usage" ;;
  esac
done
[ -z "$expects" ] || wrong_usage "$expects" "$usage"

prepare
exec node dist/scripts/ridethrough.js demo "$@"

#!/usr/bin/env bash
# Builds Ridethrough and runs it on a simulated UPS, dry: nothing on this machine is ever shut down.
# Dashboard and API: http://127.0.0.1:9191/. Options are those of `ridethrough demo`; try --help.

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"

prepare
exec node dist/scripts/ridethrough.js demo "$@"

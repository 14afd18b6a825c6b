#!/usr/bin/env bash
# Builds the documentation as a site of static pages: scripts/site.sh [DIRECTORY], by default dist/site. The tree must be built.
# Its two libraries have a lockfile of their own, so that they cost nobody anything who builds the program; --install only
# fetches them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
libraries=$PWD/node_modules/.cache/ridethrough-site
if ! cmp -s scripts/site/package-lock.json "$libraries/installed"; then
  mkdir -p "$libraries"
  cp scripts/site/package.json scripts/site/package-lock.json "$libraries"
  (cd "$libraries" && npm ci --ignore-scripts --no-audit --no-fund >&2)
  cp scripts/site/package-lock.json "$libraries/installed"
fi
[ "${1-}" != --install ] || exit 0
if [ ! -e dist/scripts/site/main.js ]; then
  echo 'site.sh: the tree is not built; run: npm run build' >&2
  exit 1
fi
exec node dist/scripts/site/main.js "$libraries" "${1:-dist/site}"

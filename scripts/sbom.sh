#!/usr/bin/env bash
# Prints the software bill of materials: every production package of package-lock.json, as CycloneDX JSON.
# npm's own --omit dev leaves out what a development package needs too, so npm gets a tree without these.
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# npm names the program after its folder.
mkdir "$work/ridethrough"
cd "$work/ridethrough"
node - "$tree" <<'JS'
const { readFileSync, writeFileSync } = require('node:fs');
const read = (name) => JSON.parse(readFileSync(`${process.argv[2]}/${name}`, 'utf8'));
const [manifest, lock] = [read('package.json'), read('package-lock.json')];
delete manifest.devDependencies;
delete lock.packages[''].devDependencies;
for (const [path, { dev }] of Object.entries(lock.packages)) if (dev) delete lock.packages[path];
writeFileSync('package.json', JSON.stringify(manifest));
writeFileSync('package-lock.json', JSON.stringify(lock));
JS
npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application

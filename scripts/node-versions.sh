#!/usr/bin/env bash
# Runs tests of the built tree on other releases of Node.js, one after another; their binaries come as npm packages.
#   scripts/node-versions.sh 22.23.3 24.21.0              the unit tests, and integration tests of daemon, sequence, api, storage
#   scripts/node-versions.sh 24.21.0 -- FILE...           these tests of dist/test alone

# shellcheck source=scripts/prepare.sh
. "$(dirname "$0")/prepare.sh"
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

versions=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "$1 is not a version of Node.js such as 24.21.0"
  versions+=("$1")
  shift
done
[ ${#versions[@]} -gt 0 ] || die 'name versions of Node.js, such as 22.23.3 24.21.0'
files=("${@:2}")
[ -e dist/test ] || die 'the tree is not built: npm run build'

# tested VERSION ARGUMENT...: what mocha runs starts its programs with this node too.
tested() {
  local bin
  bin=$(release_of_node "$1") || die "Node.js $1 could not be had as an npm package"
  say "on Node.js $("$bin/node" --version): ${*:2}"
  PATH=$bin:$PATH "$bin/node" node_modules/mocha/bin/mocha.js --exit --reporter dot "${@:2}"
}

failed=0
for version in "${versions[@]}"; do
  if [ ${#files[@]} -gt 0 ]; then
    tested "$version" "${files[@]}" || failed=1
    continue
  fi
  tested "$version" --parallel --jobs 2 'dist/test/**/*.test.js' --exclude 'dist/test/{integration,simulation,mutation}/**' || failed=1
  tested "$version" 'dist/test/integration/{daemon,sequence,api,storage}/**/*.test.js' || failed=1
done
exit $failed

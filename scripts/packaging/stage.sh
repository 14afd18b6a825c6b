# Sourced by package.sh: lays out below a folder what the packages install, with the Node.js that they carry. Runs nothing
# of it and needs no root.
# shellcheck shell=bash

node_cache=node_modules/.cache/ridethrough-tools/node

# fetch_node ARCHITECTURE: the folder with the unpacked npm package, which holds the binary of the Node.js release.
fetch_node() {
  local architecture name version hash folder archive
  read -r architecture name version hash < <(grep "^$1 " scripts/packaging/node-releases.txt) ||
    die "there is no Node.js for $1 in scripts/packaging/node-releases.txt"
  folder=$PWD/$node_cache/$name-$version
  if [ ! -x "$folder/bin/node" ]; then
    say "fetching Node.js $version for $architecture (50 MB) as the npm package $name"
    mkdir -p "$node_cache"
    archive=$node_cache/$(cd "$node_cache" && npm pack --silent "$name@$version") ||
      die "npm does not deliver $name $version"
    [ "sha512-$(openssl dgst -sha512 -binary "$archive" | base64 -w 0)" = "$hash" ] ||
      die "$archive is not what scripts/packaging/node-releases.txt names"
    rm -rf "$folder.new"
    mkdir "$folder.new"
    tar -xzf "$archive" -C "$folder.new" --strip-components=1 --no-same-owner
    mv "$folder.new" "$folder"
    rm "$archive"
  fi
  printf '%s\n' "$folder"
}

# stage ROOT ARCHITECTURE
stage() {
  local root=$1 architecture=$2 library=$1/usr/lib/ridethrough node
  # A daemon runs from a copy that an upgrade leaves alone: docs/decisions/0066-upgrade-beside-the-daemon.md.
  local started=/usr/lib/ridethrough/started/current
  systemd/install.sh --root "$root" >&2
  node=$(fetch_node "$architecture")
  install -D -m 755 "$node/bin/node" "$library/bin/node"
  install -m 644 "$node/LICENSE" "$library/node.LICENSE"
  local sqlite=$library/node_modules/sqlite3/build/Release/node_sqlite3.node
  ! is_foreign "$architecture" || compile_sqlite "$architecture" "$node" "$sqlite"
  "$(triplet_of "$architecture")-strip" --strip-unneeded "$library/bin/node" "$sqlite"
  # Where the library is at run time is the loader's to find, not what the build said.
  chrpath --delete "$sqlite" >/dev/null 2>&1 || true
  # Sources, descriptions and traces of a build, which no program reads.
  rm -rf "$library"/node_modules/sqlite3/{src,deps,build/Release/.deps}
  find "$library/node_modules" -type f \( -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.map' -o -name '*.md' -o -name '.*' \
    -o -name '*.[ch]' -o -name '*.cc' -o -name '*.gyp' -o -name '*.gypi' \) ! -iname 'LICEN[CS]E*' -delete
  find "$library/node_modules" -type d -empty -delete
  # The Node.js of the package starts everything: no module is a program of its own.
  find "$library/node_modules" "$library/dist" -type f -exec chmod a-x {} +
  sed -i '1{/^#!/d}' "$library/dist/scripts/ridethrough.js"
  rm "$root/usr/bin/ridethrough"
  printf '#!/bin/sh\nexec %s/bin/node %s/dist/scripts/ridethrough.js "$@"\n' /usr/lib/ridethrough /usr/lib/ridethrough \
    >"$root/usr/bin/ridethrough"
  chmod 755 "$root/usr/bin/ridethrough"
  sed -i "s,^ExecStart=/usr/bin/ridethrough run,ExecStart=$started/bin/node $started/dist/scripts/ridethrough.js run," \
    "$root/usr/lib/systemd/system/ridethrough.service"
  install -m 755 scripts/packaging/after-install.sh "$library/bin/after-install"
  install -m 755 scripts/packaging/before-removal.sh "$library/bin/before-removal"
  find "$root/usr/share/man" -type f -exec gzip -9n {} +
  rm -rf "$library"/dist/{man,completions}
  check_machine_code "$library" "$architecture"
}

# Machine code is two programs, of the package's architecture.
check_machine_code() {
  local found wanted
  case $2 in
  amd64) wanted='Advanced Micro Devices X86-64' ;;
  arm64) wanted=AArch64 ;;
  esac
  # Most files are no machine code, which readelf reports.
  found=$({ find "$1" -type f -exec readelf --file-header {} + 2>/dev/null || true; } | sed -n 's/^ *Machine: *//p')
  [ "$found" = "$(printf '%s\n%s' "$wanted" "$wanted")" ] || die "for $2 there is machine code of: ${found//$'\n'/, }"
}

# One time for every file, so that the same tree gives the same package.
one_time() { find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +; }

# Sourced by package.sh: what a package for another architecture than this machine's needs besides: a compiler, Debian's
# libraries of that architecture beside those of this machine, and its own binary of sqlite3. Runs none of it.
# shellcheck shell=bash

is_foreign() { [ "$1" != "$(dpkg --print-architecture)" ]; }

triplet_of() {
  case $1 in
  amd64) echo x86_64-linux-gnu ;;
  arm64) echo aarch64-linux-gnu ;;
  *) die "there are packages for amd64 and arm64, not for $1" ;;
  esac
}

# foreign_libraries ARCHITECTURE: the folder with `root`, Debian's packages unpacked, and `admin`, what dpkg-shlibdeps reads
# of them. The release is that of this machine.
foreign_libraries() {
  local architecture=$1 work=$PWD/node_modules/.cache/ridethrough-tools/foreign/$1 deb name part
  printf '%s\n' "$work"
  [ ! -e "$work/done" ] || return 0
  say "fetching Debian's libraries for $architecture"
  rm -rf "$work"
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,debs,root,admin/info,admin/updates}
  touch "$work/admin/status"
  # Names info/NAME:ARCHITECTURE.list.
  echo 1 >"$work/admin/info/format"
  local apt=(apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$work/state"
    -o Dir::State::status="$work/admin/status" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update >&2
  (cd "$work/debs" && "${apt[@]}" download libc6 libgcc-s1 libstdc++6 libsqlite3-0 libsqlite3-dev) >&2
  for deb in "$work"/debs/*.deb; do
    name=$(dpkg-deb --field "$deb" Package)
    dpkg-deb --extract "$deb" "$work/root"
    dpkg-deb --control "$deb" "$work/control"
    { sed '/^Package:/a Status: install ok installed' "$work/control/control" && echo; } >>"$work/admin/status"
    for part in symbols shlibs; do
      [ ! -e "$work/control/$part" ] || mv "$work/control/$part" "$work/admin/info/$name:$architecture.$part"
    done
    rm -r "$work/control"
    dpkg-deb --fsys-tarfile "$deb" | tar -t | sed "s,^\.,$work/root,; s,/$,," >"$work/admin/info/$name:$architecture.list"
  done
  touch "$work/done"
}

# compile_sqlite ARCHITECTURE NODE OUTPUT: as npm compiles it for this machine (prepare.sh).
compile_sqlite() {
  local architecture=$1 node=$2 output=$3 triplet work libraries
  triplet=$(triplet_of "$architecture")
  need "compiling sqlite3 for $architecture" "$triplet-g++=g++-${triplet//_/-}" make=make python3=python3
  libraries=$(foreign_libraries "$architecture")
  say "compiling sqlite3 for $architecture (half a minute)"
  work=$(mktemp -d)
  mkdir -p "$work"/{node_modules,sqlite}
  cp -r node_modules/sqlite3 node_modules/bindings node_modules/node-addon-api "$work/node_modules/"
  ln -s "$libraries/root/usr/include" "$work/sqlite/include"
  ln -s "$libraries/root/usr/lib/$triplet" "$work/sqlite/lib"
  (cd "$work/node_modules/sqlite3" && CC=$triplet-gcc CXX=$triplet-g++ AR=$triplet-ar LINK=$triplet-g++ \
    "$OLDPWD/node_modules/.bin/node-gyp" rebuild --loglevel=error --arch="$architecture" --nodedir="$node" --sqlite="$work/sqlite") >&2 ||
    die "sqlite3 does not compile for $architecture"
  install -m 644 "$work/node_modules/sqlite3/build/Release/node_sqlite3.node" "$output"
  rm -rf "$work"
}

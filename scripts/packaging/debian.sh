# Sourced by package.sh: builds the Debian package with dpkg-deb alone.
# shellcheck shell=bash

maintainer='Ridethrough developers <developers@ridethrough.invalid>'

# What the two programs of machine code are linked with.
depends_of() {
  local root=$1 work=$2 architecture=$3 libraries foreign=()
  local programs=("$root/usr/lib/ridethrough/bin/node" "$root/usr/lib/ridethrough/node_modules/sqlite3/build/Release/node_sqlite3.node")
  mkdir -p "$work/debian"
  printf 'Source: ridethrough\n\nPackage: ridethrough\nArchitecture: any\n' >"$work/debian/control"
  if is_foreign "$architecture"; then
    libraries=$(foreign_libraries "$architecture")
    foreign=(--admindir="$libraries/admin" -l"$libraries/root/usr/lib/$(triplet_of "$architecture")"
      -l"$libraries/root/lib/$(triplet_of "$architecture")")
  fi
  (cd "$work" && DEB_HOST_ARCH=$architecture dpkg-shlibdeps --warnings=0 "${foreign[@]}" -O "${programs[@]/#/-e}") | sed -n 's/^shlibs:Depends=//p'
}

build_deb() {
  local output=$1 architecture=$2 version=$3-$4 compression=$5 work root doc size depends
  need 'building the package' dpkg-shlibdeps=dpkg-dev strip=binutils chrpath=chrpath
  work=$(mktemp -d)
  root=$work/root
  doc=$root/usr/share/doc/ridethrough
  stage "$root" "$architecture"
  mkdir -p "$doc" "$root/DEBIAN"
  install -m 644 scripts/packaging/debian/copyright "$doc/copyright"
  gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
  printf 'ridethrough (%s) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"
  ln -s ../../../lib/ridethrough/docs "$doc/docs"
  install -D -m 644 scripts/packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/ridethrough"
  install -m 755 -t "$root/DEBIAN" scripts/packaging/debian/{postinst,prerm,postrm}
  echo /etc/ridethrough/config.toml >"$root/DEBIAN/conffiles"
  chmod -R g-w "$root"
  depends=$(depends_of "$root" "$work" "$architecture")
  [ -n "$depends" ] || die 'dpkg-shlibdeps names no package'
  size=$(du -ks --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
    -e "s/@MAINTAINER@/$maintainer/" -e "s/@DEPENDS@/$depends/" scripts/packaging/debian/control >"$root/DEBIAN/control"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  chmod 644 "$root"/DEBIAN/{control,conffiles,md5sums}
  one_time "$root"
  built=$output/ridethrough_${version}_$architecture.deb
  # shellcheck disable=SC2086 # a word each
  dpkg-deb --root-owner-group $compression --build "$root" "$built" >&2
  rm -rf "$work"
  say "built $built ($(du -h "$built" | cut -f 1)), which needs: $depends"
}

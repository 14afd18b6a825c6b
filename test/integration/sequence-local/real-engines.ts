// Shell text that starts a real, private engine in a sandbox, with an image that waits for SIGTERM.
import { fileURLToPath } from 'node:url';

const engines = fileURLToPath(
  new URL('../../../../node_modules/.cache/ridethrough-tools/engines', import.meta.url),
);
/** Those of this machine first: scripts/test.sh takes out of their packages only what is not installed. */
const path = (engine: 'docker' | 'podman' | 'libvirt') =>
  `export ENGINE=${engine} PATH=$D/bin:$PATH:${engines}\nmkdir -p $D/bin; ip link set lo up`;
const missing = (program: string) =>
  `{ echo '${program} is not installed, and scripts/test.sh could not take it out of its package' >&2; exit 1; }`;

/** Shell text: waits until the command succeeds, and ends with the last line of the engine's log when that has ended or `tries` are over. */
const untilReady = (command: string, tries: number) =>
  `n=0; until ${command}; do n=$((n + 1)); [ $n -lt ${String(tries)} ] && kill -0 $! 2>/dev/null || { tail -n 1 $D/log >&2; exit 1; }; sleep 0.2; done`;

/** The program of a container: ends at SIGTERM, unless it has an argument. */
const source = `#include <signal.h>
#include <unistd.h>
static void end(int s) { _exit(0); }
int main(int n, char **words) { if (n < 2) signal(SIGTERM, end); for (;;) pause(); }`;

const image = `printf '%s' '${source}' >$D/still.c && cc -static -Os -o $D/still $D/still.c && tar -C $D -cf $D/image.tar still`;
/** Container runtimes differ in the control groups that they need. */
const controlGroups =
  'mount -t tmpfs none /run && mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup';

/**
 * With no container. Its home has the policy for images, which no package has brought here; its cache of images is in /var/lib and its
 * locks are in /dev/shm whatever its root is. `boots` forgets what a boot does.
 */
export const emptyPodman = `${path('podman')}
real=$(command -v podman) || ${missing('podman')}
${controlGroups} && mount -t tmpfs none /var/lib && mount -t tmpfs none /dev/shm
${image}
mkdir -p $D/.config/containers && echo '{"default":[{"type":"insecureAcceptAnything"}]}' >$D/.config/containers/policy.json
cat >$D/bin/podman <<END
#!/bin/sh
HOME=$D exec $real --root $D/root --runroot /run/root --tmpdir $D/tmp --network-config-dir $D/net --storage-driver vfs --cgroup-manager cgroupfs \\
  --conmon $(command -v conmon) --runtime $(command -v crun || command -v runc) "\\$@"
END
chmod +x $D/bin/podman
podman import -q --change 'ENTRYPOINT ["/still"]' $D/image.tar still:1 >/dev/null
boots() { rm -rf /run/root $D/tmp; umount /dev/shm; mount -t tmpfs none /dev/shm; }
start() { podman run -d --pull=never --network=none --ulimit host --cgroups=disabled --name "$@" >/dev/null; }`;

export const podman = `${emptyPodman}
start good still:1`;

/**
 * A private dockerd without a network, with the control groups that `remove` of the sandbox removes; `engine` starts it, `engine_ends` ends it as the end of a host does; `reboots` does both, with a boot between them of
 * more than the slack between a stop and a start by anybody else.
 */
export const docker = `${path('docker')}
command -v dockerd >/dev/null && command -v docker >/dev/null || ${missing('docker')}
export DOCKER_HOST=unix://$D/docker.sock
${controlGroups}
engine() {
  dockerd --data-root $D/data --exec-root $D/exec -H $DOCKER_HOST --pidfile $D/pid --bridge none --iptables=false --ip6tables=false \\
    --cgroup-parent /\${D##*/} --ip-forward=false --ip-masq=false --storage-driver vfs >>$D/log 2>&1 &
  ${untilReady('docker info >/dev/null 2>&1', 100)}
}
engine_ends() { kill $(cat $D/pid); n=0; while [ -e $D/pid ] && [ $n -lt 200 ]; do n=$((n + 1)); sleep 0.1; done; }
reboots() { engine_ends; sleep 3; engine; }
${image}
engine
docker import --change 'ENTRYPOINT ["/still"]' $D/image.tar still:1 >/dev/null
start() { docker run -d --network none "$@" >/dev/null; }`;

/** A private libvirtd with its test driver, whose guests live as long as a connection is held: `guest NAME NUMBER DISK` defines one. */
export const libvirt = `${path('libvirt')}
command -v libvirtd >/dev/null && command -v virsh >/dev/null || ${missing('libvirtd')}
mount -t tmpfs none /run && mkdir /run/lv
printf 'unix_sock_dir = "/run/lv"\\nauth_unix_rw = "none"\\n' >$D/libvirtd.conf
libvirtd -f $D/libvirtd.conf -p /run/lv/pid >$D/log 2>&1 &
${untilReady('[ -S /run/lv/libvirt-sock ]', 50)}
uri='test+unix:///default?socket=/run/lv/libvirt-sock'
mkfifo $D/held; virsh -c "$uri" <$D/held >$D/holder 2>&1 & exec 9>$D/held; echo list >&9
${untilReady('grep -qs running $D/holder', 50)}
guest() {
  printf "<domain type='test'><name>%s</name><uuid>00000000-0000-0000-0000-00000000000%s</uuid><memory>1024</memory>\\
<os><type>hvm</type></os><devices><disk %s<target dev='vda'/></disk></devices></domain>" "$1" "$2" "$3" >$D/guest.xml
  virsh -q -c "$uri" define $D/guest.xml >/dev/null
}`;

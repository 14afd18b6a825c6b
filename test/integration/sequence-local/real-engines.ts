// Shell text that starts a real, private engine in a sandbox, with an image that waits for SIGTERM.

/** The program of a container: ends at SIGTERM, unless it has an argument. */
const source = `#include <signal.h>
#include <unistd.h>
static void end(int s) { _exit(0); }
int main(int n, char **words) { if (n < 2) signal(SIGTERM, end); for (;;) pause(); }`;

/** Container runtimes differ in the control groups that they need. */
export const podman = `mkdir -p $D/bin && export PATH=$D/bin:$PATH
mount -t tmpfs none /run && mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
printf '%s' '${source}' >$D/still.c && cc -static -Os -o $D/still $D/still.c && tar -C $D -cf $D/image.tar still
real=$(command -v podman) || { echo 'podman is not installed' >&2; exit 1; }
echo '#!/bin/sh' >$D/bin/podman
echo "exec $real --root $D/root --runroot /run/root --tmpdir $D/tmp --storage-driver vfs --cgroup-manager cgroupfs \\"\\$@\\"" >>$D/bin/podman
chmod +x $D/bin/podman
podman import -q --change 'ENTRYPOINT ["/still"]' $D/image.tar still:1 >/dev/null
start() { podman run -d --pull=never --network=none --ulimit host --cgroups=disabled --name "$@" >/dev/null; }
start good still:1`;

/** A private dockerd without a network; `engine` starts it, `engine_ends` ends it as the end of a host does. */
export const docker = `mkdir -p $D/bin && export PATH=$D/bin:$PATH DOCKER_HOST=unix://$D/docker.sock
command -v dockerd >/dev/null && command -v docker >/dev/null || { echo 'docker is not installed' >&2; exit 1; }
mount -t tmpfs none /run && mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
engine() {
  dockerd --data-root $D/data --exec-root $D/exec -H $DOCKER_HOST --pidfile $D/pid --bridge none --iptables=false --ip6tables=false \\
    --ip-forward=false --ip-masq=false --storage-driver vfs >>$D/log 2>&1 &
  n=0; until docker info >/dev/null 2>&1; do n=$((n + 1)); [ $n -lt 100 ] || { tail -n 5 $D/log >&2; exit 1; }; sleep 0.2; done
}
engine_ends() { kill $(cat $D/pid); n=0; while [ -e $D/pid ] && [ $n -lt 200 ]; do n=$((n + 1)); sleep 0.1; done; }
printf '%s' '${source}' >$D/still.c && cc -static -Os -o $D/still $D/still.c && tar -C $D -cf $D/image.tar still
engine
docker import --change 'ENTRYPOINT ["/still"]' $D/image.tar still:1 >/dev/null
start() { docker run -d --network none "$@" >/dev/null; }`;

/** A private libvirtd with its test driver, whose guests live as long as a connection is held: `guest NAME NUMBER DISK` defines one. */
export const libvirt = `command -v libvirtd >/dev/null && command -v virsh >/dev/null || { echo 'libvirt is not installed' >&2; exit 1; }
mount -t tmpfs none /run && mkdir /run/lv
printf 'unix_sock_dir = "/run/lv"\\nauth_unix_rw = "none"\\n' >$D/libvirtd.conf
libvirtd -f $D/libvirtd.conf -p /run/lv/pid >$D/log 2>&1 &
n=0; until [ -S /run/lv/libvirt-sock ]; do n=$((n + 1)); [ $n -lt 100 ] || { tail -n 5 $D/log >&2; exit 1; }; sleep 0.1; done
uri='test+unix:///default?socket=/run/lv/libvirt-sock'
mkfifo $D/held; virsh -c "$uri" <$D/held >/dev/null 2>&1 & exec 9>$D/held; echo list >&9
guest() {
  printf "<domain type='test'><name>%s</name><uuid>00000000-0000-0000-0000-00000000000%s</uuid><memory>1024</memory>\\
<os><type>hvm</type></os><devices><disk %s<target dev='vda'/></disk></devices></domain>" "$1" "$2" "$3" >$D/guest.xml
  virsh -q -c "$uri" define $D/guest.xml >/dev/null
}
virsh -q -c "$uri" list >/dev/null`;

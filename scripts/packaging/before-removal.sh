#!/bin/sh
# Run by the package before it is removed: stops and disables the service and removes the copies that after-install made.
# Fails, and with it the removal, where the daemon cannot be stopped or another one runs.
set -eu

library=/usr/lib/ridethrough
units='ridethrough-ready.target ridethrough-ready.service ridethrough.service'

say() { printf 'ridethrough: %s\n' "$*"; }

if [ -d /run/systemd/system ] && systemctl is-active --quiet ridethrough.service; then
  reasons=$(timeout 60 /usr/bin/ridethrough restart-check 2>&1) ||
    say "stopping the daemon although: $reasons. A running shutdown is finished first, which may take long"
  stop='systemctl stop'
  ! command -v deb-systemd-invoke >/dev/null || stop='deb-systemd-invoke stop'
  # shellcheck disable=SC2086 # a word each
  $stop $units || true
  if systemctl is-active --quiet ridethrough.service; then
    say 'the daemon could not be stopped, so its files stay: see systemctl status ridethrough, then remove the package again'
    exit 1
  fi
fi
# A daemon that was started manually would go on without its files.
for program in "$library/bin/node" "$library"/started/*/bin/node; do
  for running in /proc/[0-9]*/exe; do
    [ "$running" -ef "$program" ] || continue
    pid=${running#/proc/}
    say "process ${pid%/exe} still runs from $library: end it (was a daemon started manually?), then remove the package again"
    exit 1
  done
done
# Without systemctl, or where it fails, only the link that it would remove is left.
systemctl --no-reload disable ridethrough.service >/dev/null 2>&1 ||
  rm -f /etc/systemd/system/multi-user.target.wants/ridethrough.service
rm -rf "$library/started"

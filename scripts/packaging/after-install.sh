#!/bin/sh
# Run by the package after its files are in place: keeps a copy that the daemon runs from, and after an upgrade changes a
# running daemon to it where that is safe. Says what it does not do; a daemon that goes on running is no failure.
#   after-install          first installation
#   after-install upgrade
set -eu

library=/usr/lib/ridethrough
configuration=/etc/ridethrough/config.toml
started=$library/started

say() { printf 'ridethrough: %s\n' "$*"; }

main_pid() { systemctl show --property MainPID --value ridethrough.service 2>/dev/null || true; }

# Hard links take no space. A package manager replaces files by renaming, so the copy keeps what it has when the next version
# comes: a running daemon goes on starting workers of its own version.
keep_copy() {
  mkdir -p "$started"
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$library/package.json")
  copy=$(mktemp -d "$started/$version.XXXXXX")
  for part in bin dist node_modules package.json; do
    cp -al "$library/$part" "$copy/" 2>/dev/null || cp -a "$library/$part" "$copy/"
  done
  chmod 755 "$copy"
  ln -sfn "${copy##*/}" "$started/next"
  mv -fT "$started/next" "$started/current"
}

# All copies but the present one and that of the running daemon. The file itself is compared: the daemon may have its own view
# of the file system, in which the path is another.
drop_old_copies() {
  pid=$(main_pid)
  for old in "$started"/*; do
    [ ! -L "$old" ] && [ "$old" != "$copy" ] || continue
    [ "/proc/$pid/exe" -ef "$old/bin/node" ] || rm -rf "$old"
  done
}

# The file that the running daemon was started with.
running_configuration() {
  found=$(tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | sed -n -e '/^--config$/{n;p;}' -e 's/^--config=//p' | tail -n 1)
  printf '%s\n' "${found:-$configuration}"
}

# keep REASON: the old daemon goes on running.
keep() {
  say "the running daemon stays as it is, of the version before: $1"
  say "change to the new version later with: systemctl restart ridethrough"
}

restart_where_safe() {
  pid=$(main_pid)
  case $pid in '' | 0) systemctl is-active --quiet ridethrough.service || return 0 ;; esac
  file=$(running_configuration "${pid:-0}")
  verdict=0
  problems=$(timeout 60 "$library/bin/node" "$library/dist/scripts/ridethrough.js" validate --config "$file" 2>&1) || verdict=$?
  case $verdict in
  0) ;;
  75 | 124)
    printf '%s\n' "$problems"
    keep "whether the new version accepts $file could not be checked in time"
    return 0
    ;;
  *)
    printf '%s\n' "$problems"
    keep "the new version does not accept $file (see above)"
    say "correct it first (ridethrough validate): until then the new version does not start, after a reboot either"
    return 0
    ;;
  esac
  if ! reasons=$(timeout 60 "$library/bin/node" "$library/dist/scripts/ridethrough.js" restart-check --config "$file" 2>&1); then
    keep "${reasons:-no answer within a minute}"
    say 'whether that has ended: ridethrough restart-check'
    return 0
  fi
  restart='systemctl restart'
  # It obeys policy-rc.d.
  ! command -v deb-systemd-invoke >/dev/null || restart='deb-systemd-invoke restart'
  if ! $restart ridethrough.service; then
    say 'THE DAEMON COULD NOT BE RESTARTED: see systemctl status ridethrough, journalctl -u ridethrough'
  elif [ "$(main_pid)" = "$pid" ]; then
    keep 'it was not restarted (policy-rc.d)'
  else
    say 'the daemon runs the new version'
  fi
}

keep_copy
if [ -d /run/systemd/system ]; then systemctl daemon-reload || say 'systemctl daemon-reload failed'; fi
if [ "${1-}" = upgrade ]; then
  if [ -d /run/systemd/system ]; then restart_where_safe; fi
else
  say "installed; nothing was started or enabled, and $configuration is a dry run"
  say "write your UPS into it (ridethrough init --force asks for it), then: ridethrough validate"
  say 'start it now and at every boot: systemctl enable --now ridethrough (without systemd: ridethrough run)'
fi
drop_old_copies

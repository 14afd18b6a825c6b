#!/usr/bin/env bash
# Installs a built Ridethrough as a systemd service, or removes it. May be run repeatedly; prints every step; never
# changes an existing configuration; enables and starts nothing without --enable.
set -euo pipefail

usage() {
  cat <<'TXT'
Usage: systemd/install.sh [--enable] [--root DIR]
       systemd/install.sh --uninstall [--root DIR]

Run as root in a built tree (scripts/test.sh and scripts/start.sh build it, and so does `npm ci && npm run build`).

  --enable      start the service now and at every boot
  --root DIR    install below DIR and change nothing outside it (for packages and tests)
  --uninstall   remove everything except the configuration, the data and the users
TXT
}

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=''
action=install
enable=no
while [ $# -gt 0 ]; do
  case $1 in
  --root)
    if [ -z "${2-}" ]; then
      echo 'install.sh: --root takes a directory' >&2
      exit 2
    fi
    mkdir -p "$2"
    root=$(cd "$2" && pwd)
    # An empty root is this machine itself.
    [ "$root" != / ] || root=''
    shift
    ;;
  --uninstall) action=uninstall ;;
  --enable) enable=yes ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    echo "install.sh: unknown option $1" >&2
    usage >&2
    exit 2
    ;;
  esac
  shift
done

library=/usr/lib/ridethrough
command=/usr/bin/ridethrough
unit=/usr/lib/systemd/system/ridethrough.service
ready=/usr/lib/systemd/system/ridethrough-ready
sysusers=/usr/lib/sysusers.d/ridethrough.conf
tmpfiles=/usr/lib/tmpfiles.d/ridethrough.conf
configuration=/etc/ridethrough/config.toml

say() { printf '%s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# True when systemd runs on the machine that is installed to.
on_this_machine() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

[ -z "$root" ] || [ "$enable" = no ] || die '--enable and --root exclude each other'
[ -n "$root" ] || [ "$(id -u)" -eq 0 ] || die 'run this as root, or with --root DIR'

# The files of the product: "files" in package.json is the one list, for this installer and for npm. The unit and what
# lies beside it go to their own places.
product_files() {
  (cd "$source_dir" && npm pack --dry-run --json --ignore-scripts 2>/dev/null) |
    node -e 'for (const { path } of JSON.parse(fs.readFileSync(0))[0].files) console.log(path)' |
    grep -v '^systemd/'
}

# The folders of the packages needed at run time; those of the tests and the compiler stay behind.
runtime_packages() { (cd "$source_dir" && node dist/scripts/packaging/runtime-packages.js); }

check_node() {
  [ -z "$root" ] || return 0
  # The PATH of systemd.
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin command -v node >/dev/null ||
    die "node is not in /usr/bin or /usr/local/bin, where systemd looks for it; link it there: ln -s $(command -v node) /usr/local/bin/node"
}

# Built next to the old tree and renamed over it in one step: a running daemon never sees a partial tree.
install_library() {
  local new=$root$library.new old=$root$library.old
  say "program        $root$library"
  rm -rf "$new" "$old"
  mkdir -p "$new"
  local files packages
  files=$(product_files) || die "npm does not list the files of $source_dir; see: npm pack --dry-run"
  printf '%s\n' "$files" | (cd "$source_dir" && tar -cf - --files-from=-) | tar -xf - -C "$new" --no-same-owner
  packages=$(runtime_packages)
  [ -n "$packages" ] || die "the packages of $source_dir are not installed; run npm ci there"
  # What sqlite3 was compiled from is not needed to run it.
  printf '%s\n' "$packages" | (cd "$source_dir" && tar -cf - --exclude=sqlite3/deps --exclude=sqlite3/build/Release/obj \
    --exclude=sqlite3/build/Release/obj.target --files-from=-) | tar -xf - -C "$new" --no-same-owner
  chmod -R u=rwX,go=rX "$new"
  chmod 755 "$new/dist/scripts/ridethrough.js"
  [ ! -e "$root$library" ] || mv "$root$library" "$old"
  mv "$new" "$root$library"
  rm -rf "$old"
}

place() {
  local from=$1 to=$2
  say "$3$root$to"
  install -D -m 644 "$source_dir/systemd/$from" "$root$to"
}

# What the build has made for man and the shells: where each file of dist/ goes, below /usr/share.
manual_files() {
  local page
  for page in "$source_dir"/dist/man/*; do
    printf '%s man/man%s/%s\n' "man/${page##*/}" "${page##*.}" "${page##*/}"
  done
  printf '%s\n' 'completions/ridethrough.bash bash-completion/completions/ridethrough' \
    'completions/_ridethrough zsh/vendor-completions/_ridethrough' \
    'completions/ridethrough.fish fish/vendor_completions.d/ridethrough.fish'
}

install_manual() {
  say "manual         $root/usr/share/man, and completions for bash, zsh and fish"
  local from to
  manual_files | while read -r from to; do install -D -m 644 "$source_dir/dist/$from" "$root/usr/share/$to"; done
}

install_all() {
  [ -e "$source_dir/dist/scripts/ridethrough.js" ] || die "$source_dir is not built; run: npm ci && npm run build"
  check_node
  install_library
  say "command        $root$command"
  mkdir -p "$root/usr/bin"
  ln -sfn ..${library#/usr}/dist/scripts/ridethrough.js "$root$command"
  place ridethrough.service "$unit" 'unit           '
  place ridethrough-ready.service "$ready.service" 'ready target   '
  place ridethrough-ready.target "$ready.target" 'ready target   '
  place ridethrough.sysusers "$sysusers" 'users          '
  place ridethrough.tmpfiles "$tmpfiles" 'directories    '
  install_manual
  if [ -e "$root$configuration" ]; then
    say "configuration  $root$configuration (unchanged)"
  else
    say "configuration  $root$configuration (new; a dry run until you change it)"
    install -d -m 750 "$root/etc/ridethrough"
    install -m 640 "$source_dir/systemd/config.toml" "$root$configuration"
  fi
  [ -z "$root" ] || return 0
  say 'creating the users and the runtime directory'
  systemd-sysusers "$sysusers"
  systemd-tmpfiles --create "$tmpfiles"
  if on_this_machine; then
    systemctl daemon-reload
    if [ "$enable" = yes ]; then
      say 'enabling and starting the service'
      systemctl enable ridethrough
      systemctl restart ridethrough
      return 0
    fi
  fi
  say ''
  say "Next: write your UPS into $configuration (ridethrough init --force asks for it), then"
  say '  ridethrough validate'
  say '  systemctl enable --now ridethrough      (systemctl restart ridethrough after an upgrade)'
}

uninstall_all() {
  if on_this_machine && [ -e "$unit" ]; then
    say 'stopping the service'
    systemctl disable --now ridethrough
  fi
  local path
  for path in "$command" "$unit" "$ready.service" "$ready.target" "$sysusers" "$tmpfiles" "$library"; do
    [ -e "$root$path" ] || [ -L "$root$path" ] || continue
    say "removing       $root$path"
    rm -rf "$root$path"
  done
  say "removing       $root/usr/share/man/man[58]/ridethrough*, and the completions"
  rm -f "$root"/usr/share/man/man8/ridethrough{,-*}.8 "$root/usr/share/man/man5/ridethrough.toml.5" \
    "$root"/usr/share/{bash-completion/completions/ridethrough,zsh/vendor-completions/_ridethrough} \
    "$root/usr/share/fish/vendor_completions.d/ridethrough.fish"
  ! on_this_machine || systemctl daemon-reload
  say "Left in place: $root/etc/ridethrough, $root/var/lib/ridethrough, $root/var/log/ridethrough, and the users ridethrough-*."
}

case $action in
install) install_all ;;
uninstall) uninstall_all ;;
esac

// Unmounts file systems.
import * as t from 'io-ts';
import { kind, need } from './kind.js';
import { quoteWord } from '../commands/shell-words.js';
import type { ServerAction } from './server-action.js';
import { prologue } from './stop-script.js';

export const unmount = kind({
  name: 'unmount',
  properties: { path: t.string, options: t.string },
  words: ({ path, options }) => `unmount ${path}${options === '' ? '' : ` (${options})`}`,
  details: ({ options }, limit) => (options === '' ? [] : [`umount ${options} (${limit})`]),
  needs: () => [need(['umount'], 'filesystems.unmount', 'nothing would be unmounted')],
  runsInMounts: true,
});

/** In the configured order, which nested mounts need. Each has its share of the time, in case another hangs. */
export const unmountOnServer: ServerAction = {
  stops: ['umount'],
  needs: () => ['umount'],
  lines: (order) => {
    const share = Math.max(1, Math.floor((order.seconds - 1) / Math.max(1, order.mounts.length)));
    return [
      ...prologue(order),
      'bad=0',
      // The output of umount goes to a file: a hanging umount would hold a pipe open and block its reader.
      'output=$(mktemp 2>/dev/null) || output=/dev/null',
      'moment() { sleep 0.1 2>/dev/null || sleep 1; }',
      'off() {',
      '  path=$1; shift; since=$(clock)',
      '  $S umount "$@" "$path" >"$output" 2>&1 & pid=$!',
      '  while kill -0 "$pid" 2>/dev/null; do',
      `    [ "$(($(clock) - since))" -lt ${String(share)} ] || { say "not unmounted: $path (umount hangs)"; bad=1; return; }`,
      '    moment',
      '  done',
      '  ! wait "$pid" || return 0',
      '  answer=$(cat "$output")',
      // Not mounted is a success.
      '  case $answer in (*"not mounted"*) return ;; esac',
      '  say "not unmounted: $path ($(printf %s "$answer" | tr "\\n" " "))"; bad=1',
      '}',
      ...order.mounts.map(({ path, options }) => {
        const words = options.split(/\s+/).filter((word) => word !== '');
        return `off ${[path, ...words].map(quoteWord).join(' ')}`;
      }),
      '[ "$output" = /dev/null ] || rm -f "$output"',
      'finish "$bad"',
    ];
  },
};

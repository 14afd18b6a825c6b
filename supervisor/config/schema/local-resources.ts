// [….virtual_machines], [….containers], [….filesystems]: the resources to stop on this machine, only where is_local = true.
import * as t from 'io-ts';
import { maxStopSeconds } from '../../../shared/domain/actions/containers.js';
import type { Keys, RawInput } from '../../../shared/domain/base/keys.js';
import {
  converted,
  key,
  onOff,
  required,
  seconds,
  settingsOf,
  table,
  word,
} from '../../../shared/domain/base/keys.js';
import { codecOf } from './codec.js';
import { splitCommand } from './command.js';
import { absolutePath, filledLine, listUpTo, textOrTable, textThat } from './values.js';

const mountPoint = textThat(
  'the absolute path of a mount point (not "/")',
  (text) => absolutePath.is(text) && !/^\/+$/.test(text),
);
const mountOptions = textThat('options of umount, such as "-l", or ""', (text) => {
  const split = splitCommand(text);
  return text.length <= 200 && split.ok && split.words.every((word) => /^-[A-Za-z-]+$/.test(word));
});

/** Paths; each is a text, or a table with these keys. */
function paths<K extends Keys, const D extends readonly [] | null>(
  path: t.Type<string>,
  keys: K,
  fallback: D,
) {
  const alone = new t.Type<RawInput<K>, unknown>(
    path.name,
    (u): u is RawInput<K> => typeof u === 'object',
    (u, c) => (path.is(u) ? t.success({ path: u } as unknown as RawInput<K>) : t.failure(u, c)),
    t.identity,
  );
  const codec = listUpTo(100, textOrTable(alone, codecOf(keys)));
  return converted(key<readonly RawInput<K>[], D>(codec, fallback), (all) =>
    all.map((one) => settingsOf(keys, one)),
  );
}

const mountKeys = { path: required(mountPoint), options: key(mountOptions, '') };
const composeKeys = { path: required(absolutePath), stop_timeout: seconds(0, maxStopSeconds, null) };

export const mounts = <const D extends readonly [] | null>(fallback: D) =>
  paths(mountPoint, mountKeys, fallback);

export const localResourceKeys = {
  virtual_machines: table({
    enabled: onOff(false),
    max_wait: seconds(0, 3600, 30),
    uri: key(filledLine(512), null),
  }),
  containers: table({
    enabled: onOff(false),
    runtime: word(['auto', 'podman', 'docker'], 'auto'),
    stop_timeout: seconds(0, maxStopSeconds, 60),
    compose_files: paths(absolutePath, composeKeys, []),
    shutdown_all_remaining_containers: onOff(true),
    include_user_containers: onOff(false),
  }),
  filesystems: table({
    sync_enabled: onOff(true),
    unmount: table({
      enabled: onOff(false),
      timeout: seconds(0.1, 600, 15),
      mounts: mounts([]),
    }),
  }),
};

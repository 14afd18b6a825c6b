// [….virtual_machines], [….containers], [….filesystems]: the resources to stop on this machine, only where is_local = true.
import * as t from 'io-ts';
import { oneOf } from '../../../shared/domain/base/units.js';
import { codecOf, optional, required, table } from './key.js';
import { splitCommand } from './command.js';
import { absolutePath, filledLine, listUpTo, seconds, textOrTable, textThat } from './values.js';

const mountPoint = textThat(
  'the absolute path of a mount point (not "/")',
  (text) => absolutePath.is(text) && !/^\/+$/.test(text),
);
const mountOptions = textThat('options of umount, such as "-l", or ""', (text) => {
  const split = splitCommand(text);
  return text.length <= 200 && split.ok && split.words.every((word) => /^-[A-Za-z-]+$/.test(word));
});

export interface MountEntry {
  readonly path: string;
  readonly options?: string;
}

/** A text that stands for a table with this path only. */
const pathAlone = (path: t.Type<string>) =>
  new t.Type<{ readonly path: string }, unknown>(
    path.name,
    (u): u is { readonly path: string } => typeof u === 'object',
    (u, c) => (path.is(u) ? t.success({ path: u }) : t.failure(u, c)),
    t.identity,
  );

/** A path, or `{ path, options }`. */
export const mount: t.Type<MountEntry> = textOrTable(
  pathAlone(mountPoint),
  codecOf({ path: required(mountPoint), options: optional(mountOptions, '') }),
);

export interface ComposeEntry {
  readonly path: string;
  readonly stop_timeout?: number;
}
const compose: t.Type<ComposeEntry> = textOrTable(
  pathAlone(absolutePath),
  codecOf({ path: required(absolutePath), stop_timeout: optional(seconds(0, 3600), null) }),
);

export const localResourceKeys = {
  virtual_machines: table({
    enabled: optional(t.boolean, false),
    max_wait: optional(seconds(0, 3600), 30),
    uri: optional(filledLine(512), null),
  }),
  containers: table({
    enabled: optional(t.boolean, false),
    runtime: optional(oneOf('auto', 'podman', 'docker'), 'auto'),
    stop_timeout: optional(seconds(0, 3600), 60),
    compose_files: optional(listUpTo(100, compose), []),
    shutdown_all_remaining_containers: optional(t.boolean, true),
    include_user_containers: optional(t.boolean, false),
  }),
  filesystems: table({
    sync_enabled: optional(t.boolean, true),
    unmount: table({
      enabled: optional(t.boolean, false),
      timeout: optional(seconds(0.1, 600), 15),
      mounts: optional(listUpTo(100, mount), []),
    }),
  }),
};

// Writes all file systems out to their disks.
import { kind, need } from './kind.js';
import type { ServerAction } from './server-action.js';

export const sync = kind({
  name: 'sync',
  properties: {},
  words: () => 'write all file systems out to their disks',
  needs: () => [need(['sync'], 'filesystems.sync_enabled', 'unwritten data would be left to the power-off')],
});

export const syncOnServer: ServerAction = {
  needs: () => ['sync'],
  stops: ['sync'],
  lines: () => ['sync; finish $?'],
};

// Writes all file systems out to their disks.
import { kind } from './kind.js';
import type { ServerAction } from './server-action.js';

export const sync = kind(
  'sync',
  {},
  {
    words: () => 'write all file systems out to their disks',
    needs: () => [
      {
        anyOf: ['sync'],
        setting: 'filesystems.sync_enabled',
        without: 'unwritten data would be left to the power-off',
      },
    ],
  },
);

export const syncOnServer: ServerAction = {
  needs: () => [['sync']],
  lines: () => ['sync; finish $?'],
};

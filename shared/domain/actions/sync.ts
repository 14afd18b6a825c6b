// Writes all file systems out to their disks.
import type { ServerAction } from './server-action.js';

export const syncOnServer: ServerAction = {
  needs: () => [['sync']],
  lines: () => ['sync; finish $?'],
};

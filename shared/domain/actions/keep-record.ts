// Waits until the record of who was up is on the disk: after the power-off nobody could write it (specification/recovery.md#record).
import { kind } from './kind.js';

export const keepRecord = kind({
  name: 'keepRecord',
  properties: {},
  words: () => 'wait until the record of who was up is on the disk',
});

// The JSON of a record, made once for the copy of this boot and for the disk: a site may have 1,100 groups, and each of them changes
// alone. A record never changes. Pure.
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';

const known = new WeakMap<RecoveryRecord, Buffer>();

export function recordBytes(record: RecoveryRecord): Buffer {
  const bytes = known.get(record) ?? Buffer.from(JSON.stringify(record));
  known.set(record, bytes);
  return bytes;
}

export const recordText = (record: RecoveryRecord): string => recordBytes(record).toString();

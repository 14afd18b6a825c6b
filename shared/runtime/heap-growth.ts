// When the heap of this process is not small any more, and may grow in the usual steps (docs/decisions/0036-space-of-new-objects.md).
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** With 50 UPSes no process uses half of it. With 1,000 the supervisor would spend most of its time in the collector. */
const smallHeapBytes = 24 * 1024 * 1024;
let isSmall = true;

/** Call it every second or so. */
export function letLargeHeapGrow(): void {
  if (!isSmall || getHeapStatistics().used_heap_size < smallHeapBytes) return;
  isSmall = false;
  setFlagsFromString('--no-optimize-for-size');
}

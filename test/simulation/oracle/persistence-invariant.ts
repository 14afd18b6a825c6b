// Checks what a restart restores: everything that a decision depends on is in the snapshot within a second.
import type { OracleContext } from './oracle-context.js';
import type { BatteryTriggerName } from '../../../shared/domain/triggers/table.js';
import type { InARow } from './due.js';
import { triggerNames } from './due.js';
import type { UpsMemory } from './memory.js';

/** The snapshot is due a second after a change; the next tick writes it. */
const keptWithinMs = 1_500;

export class PersistenceInvariant {
  readonly #context: OracleContext;
  /** The memory of each UPS, and the watched time since which it has this value. */
  readonly #restorable = new Map<string, { readonly memory: UpsMemory; readonly sinceMs: number }>();
  #diskMs = -Infinity;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  /** The disk is full, or has room again. */
  diskChanged(): void {
    this.#diskMs = this.#context.memory.watchedMs;
  }

  /** After every input. */
  note(groupId: string, memory: UpsMemory): void {
    const known = this.#restorable.get(groupId);
    if (known !== undefined && this.#isSame(groupId, known.memory, memory)) return;
    this.#restorable.set(groupId, { memory, sinceMs: this.#context.memory.watchedMs });
  }

  /** The daemon has died; `kept`: its snapshot, null for none. */
  check(kept: ReadonlyMap<string, UpsMemory> | null): void {
    const { watchedMs } = this.#context.memory;
    const isExcused = this.#context.world.tmpfs.full || watchedMs - this.#diskMs < keptWithinMs;
    for (const [groupId, { memory, sinceMs }] of this.#restorable) {
      if (isExcused || watchedMs - sinceMs < keptWithinMs) continue;
      const found = kept?.get(groupId);
      if (found !== undefined && this.#isSame(groupId, found, memory)) continue;
      const was = described(memory);
      const is = found === undefined ? 'nothing' : described(found);
      this.#context.violated('what survives a restart', `${groupId}: kept is ${is}, it was ${was}`);
    }
    this.#restorable.clear();
  }

  /** As far as a decision can depend on it: counts beyond the last confirmation may differ. */
  #isSame(groupId: string, a: UpsMemory, b: UpsMemory): boolean {
    return a === b || isSame(a, b, this.#context.ups(groupId)?.policy.triggers.confirmations ?? 1);
  }
}

function isSame(a: UpsMemory, b: UpsMemory, most: number): boolean {
  return (
    a.upsHistory.outageMs === b.upsHistory.outageMs &&
    a.upsHistory.unknown?.sinceMs === b.upsHistory.unknown?.sinceMs &&
    a.upsHistory.unknown?.chargeReadings === b.upsHistory.unknown?.chargeReadings &&
    a.upsHistory.unknown?.runtimeFellMs === b.upsHistory.unknown?.runtimeFellMs &&
    a.upsHistory.fsd === b.upsHistory.fsd &&
    a.upsHistory.onBattery === b.upsHistory.onBattery &&
    a.upsHistory.last?.onBattery === b.upsHistory.last?.onBattery &&
    a.upsHistory.offMs === b.upsHistory.offMs &&
    (a.upsHistory.offOnLine.always === true) === (b.upsHistory.offOnLine.always === true) &&
    a.upsHistory.bypass?.sinceMs === b.upsHistory.bypass?.sinceMs &&
    a.upsHistory.bypass?.mainsMs === b.upsHistory.bypass?.mainsMs &&
    a.active === b.active &&
    (a.inARow === b.inARow ||
      triggerNames.every((name) => capped(name, a.inARow, most) === capped(name, b.inARow, most)))
  );
}

function capped(name: BatteryTriggerName, inARow: InARow, most: number): number {
  return Math.min(name === 'OUTPUT_OFF' ? 1 : most, inARow[name]);
}

function described({ upsHistory, inARow, active }: UpsMemory): string {
  const { outageMs, fsd, last } = upsHistory;
  return JSON.stringify({ outageMs, fsd, onBattery: last?.onBattery, active, ...inARow });
}

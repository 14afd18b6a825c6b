// Judges what a restart finds again: whatever a decision depends on is kept within the snapshot's second.
import type { Checker } from './court.js';
import { triggerNames } from './due.js';
import type { UpsMemory } from './memory.js';

/** The snapshot is due a second after a change, and the tick after that writes it. */
const keptWithinMs = 1_500;

export class SurvivalJudge {
  readonly #court: Checker;
  /** What each UPS's memory depends on, and the watched time at which it became so. */
  readonly #essence = new Map<string, { readonly memory: UpsMemory; readonly sinceMs: number }>();
  #diskMs = -Infinity;

  constructor(court: Checker) {
    this.#court = court;
  }

  /** The disk has been filled, or has room again. */
  diskChanged(): void {
    this.#diskMs = this.#court.memory.watchedMs;
  }

  /** After every input. */
  note(groupId: string, memory: UpsMemory): void {
    const known = this.#essence.get(groupId);
    if (known !== undefined && this.#isSame(groupId, known.memory, memory)) return;
    this.#essence.set(groupId, { memory, sinceMs: this.#court.memory.watchedMs });
  }

  /** The daemon has died: `kept` is what its snapshot holds, null for none. */
  judge(kept: ReadonlyMap<string, UpsMemory> | null): void {
    const { watchedMs } = this.#court.memory;
    const isExcused = this.#court.world.tmpfs.full || watchedMs - this.#diskMs < keptWithinMs;
    for (const [groupId, { memory, sinceMs }] of this.#essence) {
      if (isExcused || watchedMs - sinceMs < keptWithinMs) continue;
      const found = kept?.get(groupId);
      if (found !== undefined && this.#isSame(groupId, found, memory)) continue;
      const was = described(memory);
      const is = found === undefined ? 'nothing' : described(found);
      this.#court.violated('what survives a restart', `${groupId}: kept is ${is}, it was ${was}`);
    }
    this.#essence.clear();
  }

  /** As far as a decision can depend on it: counts beyond the last confirmation are the daemon's own business. */
  #isSame(groupId: string, a: UpsMemory, b: UpsMemory): boolean {
    return a === b || isSame(a, b, this.#court.ups(groupId)?.policy.triggers.confirmations ?? 1);
  }
}

function isSame(a: UpsMemory, b: UpsMemory, most: number): boolean {
  return (
    a.diary.outageMs === b.diary.outageMs &&
    a.diary.fsd === b.diary.fsd &&
    a.diary.onBattery === b.diary.onBattery &&
    a.diary.last?.onBattery === b.diary.last?.onBattery &&
    a.active === b.active &&
    (a.inARow === b.inARow ||
      triggerNames.every((name) => Math.min(most, a.inARow[name]) === Math.min(most, b.inARow[name])))
  );
}

function described({ diary, inARow, active }: UpsMemory): string {
  const { outageMs, fsd, last } = diary;
  return JSON.stringify({ outageMs, fsd, onBattery: last?.onBattery, active, ...inARow });
}

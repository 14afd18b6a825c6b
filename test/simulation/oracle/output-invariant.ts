// Checks the outputs of UPSes: none is turned off in a dry run, without local shutdown, or for a redundancy member unless
// all members are CRITICAL.
import type { Checker } from './checker.js';
import { memberKey } from './memory.js';

/** Members are evaluated once a second, at a tick. */
const evaluatedMs = 1_500;

export class OutputInvariant {
  readonly #checker: Checker;
  /** Since when a member of a group is certainly healthy, by `memberKey`. */
  readonly #healthySinceMs = new Map<string, number>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** At ticks. */
  look(): void {
    const { policies, site, machine } = this.#checker.world;
    if (site.plant.outputs.length === 0) return;
    for (const { groupId, members } of policies.groups) {
      for (const member of members) {
        const key = memberKey(groupId, member);
        if (!this.#isCertainlyHealthy(groupId, member)) this.#healthySinceMs.delete(key);
        else if (!this.#healthySinceMs.has(key)) this.#healthySinceMs.set(key, machine.monotonicMs());
      }
    }
  }

  daemonStarted(): void {
    this.#healthySinceMs.clear();
  }

  /** A UPS has received the command to turn its output off. */
  cut(ups: string): void {
    const checker = this.#checker;
    const { site, policies, machine } = checker.world;
    if (site.dryRun) checker.violated('a dry run runs nothing', `the output of ${ups}`);
    if (!site.localShutdown.enabled) checker.violated('an output is cut only before a local power-off', ups);
    for (const { groupId, members } of policies.groups) {
      if (!members.includes(ups)) continue;
      const well = members.filter((member) => {
        const sinceMs = this.#healthySinceMs.get(memberKey(groupId, member)) ?? Infinity;
        return this.#isCertainlyHealthy(groupId, member) && machine.monotonicMs() - sinceMs > evaluatedMs;
      });
      if (well.length > 0)
        checker.violated(
          'an output stays on while a member carries',
          `${ups}: ${well.join(', ')} of ${groupId}`,
        );
    }
  }

  #isCertainlyHealthy(group: string, member: string): boolean {
    const known = this.#checker.ups(member);
    const own = this.#checker.memory.members.get(memberKey(group, member));
    if (known === null || known.memory.active !== null || (own?.met ?? null) !== null) return false;
    const { last, fsd, offMs, failedPolls } = known.memory.upsHistory;
    return last?.onLine === true && fsd !== 'acting' && offMs === null && failedPolls === 0;
  }
}

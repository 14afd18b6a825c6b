// Judges the outputs of UPSes: "never under dry run, with local shutdown off, or for a redundancy member unless all members
// are CRITICAL".
import type { Checker } from './court.js';
import { memberKey } from './memory.js';

/** Members are evaluated once a second, at a tick. */
const evaluatedMs = 1_500;

export class OutputJudge {
  readonly #court: Checker;
  /** Since when a member of a group is well beyond doubt, by `memberKey`. */
  readonly #wellSinceMs = new Map<string, number>();

  constructor(court: Checker) {
    this.#court = court;
  }

  /** At ticks. */
  look(): void {
    const { policies, site, machine } = this.#court.world;
    if (site.plant.outputs.length === 0) return;
    for (const { groupId, members } of policies.groups) {
      for (const member of members) {
        const key = memberKey(groupId, member);
        if (!this.#isSurelyWell(groupId, member)) this.#wellSinceMs.delete(key);
        else if (!this.#wellSinceMs.has(key)) this.#wellSinceMs.set(key, machine.monotonicMs());
      }
    }
  }

  daemonStarted(): void {
    this.#wellSinceMs.clear();
  }

  /** A UPS is told to cut its output. */
  cut(ups: string): void {
    const court = this.#court;
    const { site, policies, machine } = court.world;
    if (site.dryRun) court.violated('a dry run runs nothing', `the output of ${ups}`);
    if (!site.localShutdown.enabled) court.violated('an output is cut only before a local power-off', ups);
    for (const { groupId, members } of policies.groups) {
      if (!members.includes(ups)) continue;
      const well = members.filter((member) => {
        const sinceMs = this.#wellSinceMs.get(memberKey(groupId, member)) ?? Infinity;
        return this.#isSurelyWell(groupId, member) && machine.monotonicMs() - sinceMs > evaluatedMs;
      });
      if (well.length > 0)
        court.violated(
          'an output stays on while a member carries',
          `${ups}: ${well.join(', ')} of ${groupId}`,
        );
    }
  }

  #isSurelyWell(group: string, member: string): boolean {
    const known = this.#court.ups(member);
    const own = this.#court.memory.members.get(memberKey(group, member));
    if (known === null || known.memory.active !== null || (own?.met ?? null) !== null) return false;
    const { last, fsd, offMs, failedPolls } = known.memory.diary;
    return last?.onLine === true && fsd !== 'acting' && offMs === null && failedPolls === 0;
  }
}

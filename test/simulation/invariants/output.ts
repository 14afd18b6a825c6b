// "The output of a UPS is cut only with local shutdown on, never in a dry run, never under a target that still needs it", by what is
// on; and where nothing is, it is cut.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ServerSpec } from '../plant/plant.js';
import { Invariant } from './invariant.js';
import { hostKey, serverKey } from './step-record.js';

const slackMs = 1_000;

export class Output extends Invariant {
  #cuts: string[] = [];
  #kept: { readonly ups: string; readonly reason: string }[] = [];

  cut(ups: string): void {
    if (!this.facts.world.site.localShutdown.enabled)
      this.facts.violated('an output is cut only before a local power-off', ups);
    this.#cuts.push(ups);
  }

  ended({ action }: PlanStep, outcome: StepOutcome | null): void {
    if (action.kind === 'upsOutputOff' && outcome?.kind === 'skipped')
      this.#kept.push({ ups: action.ups, reason: outcome.reason });
  }

  checked(): void {
    for (const ups of this.#cuts) this.#checkCut(ups);
    for (const one of this.#kept) if (!this.#cuts.includes(one.ups)) this.#checkKept(one.ups, one.reason);
    this.#cuts = [];
    this.#kept = [];
  }

  daemonDied(): void {
    this.#cuts = [];
    this.#kept = [];
  }

  #checkCut(ups: string): void {
    const { world, hostGroups, steps, sequences } = this.facts;
    if (sequences.hasLost) return;
    const { servers } = world.site.plant;
    const on = servers.filter((one) => this.#mustHave(one.owner, ups) && !this.#isOver(one));
    if (on.length > 0) {
      const names = on.map(({ name }) => name).join(', ');
      this.facts.violated('no output is cut under what still needs it', `${ups}: ${names}`);
    }
    const needing = hostGroups.filter((group) => this.#mustHave(group, ups));
    const isGoing = hostGroups.some((group) => sequences.last(group) !== undefined) || steps.of(hostKey);
    if (needing.length > 0 && !isGoing)
      this.facts.violated('no output is cut under what still needs it', `${ups}: this host`);
    const fallen = world.policies.groups.find(({ groupId, members, minHealthy }) => {
      const isDown = members.includes(ups) && sequences.last(groupId)?.endedMs === null;
      const out = members.filter((one) => (world.devices.get(one)?.outageSinceMs ?? null) !== null);
      return (
        isDown &&
        this.facts.isPowerBack(ups) &&
        this.#isRested(ups) &&
        members.length - out.length < minHealthy
      );
    });
    if (fallen !== undefined)
      this.facts.violated('no output is cut where the UPS has power and its group has not', ups);
  }

  /** Line power for longer than two evaluations of groups. */
  #isRested(ups: string): boolean {
    return this.facts.nowMs - this.facts.courses.of(ups).lineSinceMs > 60_000;
  }

  /** A single UPS needs itself; a group needs a member when all others certainly are without power. */
  #mustHave(group: string, ups: string): boolean {
    const members = this.facts.feeds(group);
    if (!members.includes(ups)) return false;
    if (this.facts.group(group) === undefined) return true;
    return members.every((one) => one === ups || this.facts.world.devices.get(one)?.dead === true);
  }

  /** Off, past its time, or its step has ended where nothing waits for it to be off. */
  #isOver({ name, owner, haltSeconds }: ServerSpec): boolean {
    const { steps, world, sequences, hostGroups } = this.facts;
    // Whether its outage is over, and the server on again, is not said here.
    const groups = world.site.plant.drain ? [owner, ...hostGroups] : [owner];
    if (groups.some((group) => (sequences.last(group)?.endedMs ?? null) !== null)) return true;
    const run = steps.of(serverKey(name));
    const { remote } = world.plant;
    if ((remote.offInMs(name) ?? Infinity) <= slackMs) return true;
    const agoMs = remote.commandedAgoMs(name);
    if (haltSeconds === null || agoMs === null) return run !== undefined && run.endedMs !== null;
    return (
      agoMs >= haltSeconds * 1000 - slackMs || !this.facts.steps.of(`off ${name}`) || this.#isWaitOver(name)
    );
  }

  #isWaitOver(name: string): boolean {
    return (this.facts.steps.of(`off ${name}`)?.endedMs ?? null) !== null;
  }

  /** All that it may feed is over, this host goes, and it has no power itself. */
  #checkKept(ups: string, reason: string): void {
    const { world, hostGroups, steps, sequences } = this.facts;
    const { running } = sequences;
    const isWhole = running.length === 1 && running[0]?.crashes === 0 && !sequences.hasLost;
    const isOfGroup = world.policies.groups.some(({ members }) => members.includes(ups));
    if (!isWhole || isOfGroup || reason.startsWith('it is not known')) return;
    const isOut = world.devices.get(ups)?.outageSinceMs ?? null;
    const own = world.site.plant.servers.filter(({ owner }) => owner === ups);
    const isServerOn = own.some((one) => !this.#isOver(one) || !steps.of(serverKey(one.name)));
    const isHostOn = hostGroups.includes(ups) && running[0]?.group !== ups;
    const isFlickering = this.facts.courses.of(ups).lineReadings > 0;
    if (isOut !== null && !isServerOn && !isHostOn && !isFlickering)
      this.facts.violated('an output that nothing needs is cut', `${ups}: ${reason}`);
  }
}

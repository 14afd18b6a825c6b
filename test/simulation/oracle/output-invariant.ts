// Checks the outputs of UPSes: none is cut in a dry run, without local shutdown, under a target that still needs it, or where
// the UPS has power and its group has not enough; and one that nothing needs is cut.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { OracleContext } from './oracle-context.js';
import type { PlanInvariant } from './plan-invariant.js';
import { memberKey } from './memory.js';

/** Members are evaluated once a second, at a tick. */
const evaluatedMs = 1_500;

/** A server or this host, and one group that feeds it. */
interface Target {
  readonly name: string;
  readonly group: string;
}

/** Judged after the input in which it happened: by then its events are known. */
interface Cut {
  readonly ups: string;
  /** Of the targets that certainly had power until now, those that certainly need this UPS. */
  readonly needing: readonly Target[];
}

interface Kept {
  readonly ups: string;
  readonly reason: string;
  readonly isHostGoing: boolean;
}

const thisHost = 'this host';

export class OutputInvariant {
  readonly #context: OracleContext;
  /** Since when a member of a group is certainly healthy, or certainly not, by `memberKey`. */
  readonly #healthySinceMs = new Map<string, number>();
  readonly #illSinceMs = new Map<string, number>();
  /** Servers whose step has ended in this outage, and when. */
  readonly #ended = new Map<string, number>();
  /** Those of them whose outage may be over: it is not certain from outside that their group was armed again. */
  readonly #mayLive = new Set<string>();
  /** Those of the outage before: an older snapshot goes back to it. */
  readonly #endedBefore = new Map<string, number>();
  /** By server: the waits for it that run. */
  readonly #waits = new Map<string, number>();
  #cuts: Cut[] = [];
  #kept: Kept[] = [];
  /** By UPS, why its output was kept though nothing needed it: a fault unless it is cut before the host goes off. */
  readonly #verdicts = new Map<string, string>();
  /** UPSes that got the command in this turn: another plan may keep the same output in it. */
  readonly #cutNow = new Set<string>();
  /** A killed daemon: what had ended may not be on the disk. */
  #isUncertain = false;

  readonly #plans: Pick<PlanInvariant, 'isHostGoing' | 'isDoneBeside'>;
  readonly #groups: { isDoubtful(groupId: string): boolean };

  /** `isDoubtful`: whether the group was armed again is not certain. */
  constructor(
    context: OracleContext,
    plans: Pick<PlanInvariant, 'isHostGoing' | 'isDoneBeside'>,
    groups: { isDoubtful(groupId: string): boolean },
  ) {
    this.#context = context;
    this.#plans = plans;
    this.#groups = groups;
  }

  /** At ticks. */
  look(): void {
    const { policies, site, machine } = this.#context.world;
    if (site.plant.outputs.length === 0) return;
    const note = (since: Map<string, number>, key: string, isSo: boolean) => {
      if (!isSo) since.delete(key);
      else if (!since.has(key)) since.set(key, machine.monotonicMs());
    };
    for (const { groupId, members } of policies.groups) {
      for (const member of members) {
        const key = memberKey(groupId, member);
        note(this.#healthySinceMs, key, this.#isCertainlyHealthy(key, member));
        note(this.#illSinceMs, key, this.#isCertainlyIll(key, member));
      }
    }
    for (const { name, owner } of site.plant.servers) {
      const groups = this.#mayShutDown(owner);
      const endedMs = this.#ended.get(name);
      if (endedMs === undefined || groups.some((group) => !this.#context.isArmed(group))) continue;
      if (groups.some((group) => this.#groups.isDoubtful(group))) this.#mayLive.add(name);
      else {
        this.#ended.delete(name);
        this.#endedBefore.set(name, endedMs);
      }
    }
    if (this.#context.memory.fired.size === 0) this.#isUncertain = false;
  }

  daemonStarted(): void {
    this.#healthySinceMs.clear();
    this.#illSinceMs.clear();
    const { world, memory } = this.#context;
    for (const { name, owner } of world.site.plant.servers) {
      const endedMs = this.#endedBefore.get(name) ?? -Infinity;
      const isOfThisOutage = (group: string) => (memory.fired.get(group)?.sinceMs ?? Infinity) <= endedMs;
      if (this.#mayShutDown(owner).some(isOfThisOutage)) this.#ended.set(name, endedMs);
    }
  }

  daemonDied(): void {
    this.#isUncertain = true;
    this.#waits.clear();
    this.#cuts = [];
    this.#kept = [];
    this.#verdicts.clear();
  }

  hostDown(): void {
    this.#ended.clear();
    this.#endedBefore.clear();
    this.#mayLive.clear();
    this.daemonDied();
  }

  began({ action }: PlanStep): void {
    if (action.kind === 'awaitOff') this.#wait(action.server, 1);
    if (action.kind !== 'poweroff' && action.kind !== 'poweroffDelegate') return;
    for (const [ups, reason] of this.#verdicts)
      this.#context.violated('an output that nothing needs is cut', `${ups}: ${reason}`);
    this.#verdicts.clear();
  }

  #wait(server: string, more: number): void {
    this.#waits.set(server, (this.#waits.get(server) ?? 0) + more);
  }

  ended({ action }: PlanStep, outcome: StepOutcome | null): void {
    if (action.kind === 'awaitOff') this.#wait(action.server, -1);
    if (action.kind === 'remote') {
      this.#ended.set(action.work.server, this.#context.world.machine.monotonicMs());
      this.#mayLive.delete(action.work.server);
    }
    if (action.kind === 'upsOutputOff' && outcome?.kind === 'skipped')
      this.#kept.push({ ups: action.ups, reason: outcome.reason, isHostGoing: this.#plans.isHostGoing });
  }

  /** A UPS has received the command to turn its output off. */
  cut(ups: string): void {
    const context = this.#context;
    const { site } = context.world;
    this.#verdicts.delete(ups);
    this.#cutNow.add(ups);
    if (site.dryRun) context.violated('a dry run runs nothing', `the output of ${ups}`);
    if (!site.localShutdown.enabled) context.violated('an output is cut only before a local power-off', ups);
    const isOff = (name: string) => this.#ended.has(name) || this.#plans.isDoneBeside(name);
    const living = this.#targets().filter(({ name }) => !isOff(name));
    this.#cuts.push({ ups, needing: living.filter(({ group }) => this.#certainlyNeeds(group, ups)) });
  }

  /** After every input. */
  check(): void {
    for (const cut of this.#cuts.splice(0)) this.#checkCut(cut);
    for (const one of this.#kept.splice(0)) if (!this.#cutNow.has(one.ups)) this.#checkKept(one);
    this.#cutNow.clear();
  }

  #checkCut({ ups, needing }: Cut): void {
    const context = this.#context;
    const mayFall = (group: string) => !context.isArmed(group) || this.#groups.isDoubtful(group);
    const isHostGoing = this.#hostGroups().some(mayFall);
    const under = needing.filter(
      ({ name, group }) => this.#certainlyNeeds(group, ups) && !(name === thisHost && isHostGoing),
    );
    if (under.length > 0) {
      const names = under.map(({ name, group }) => `${name} of ${group}`).join(', ');
      context.violated('no output is cut under what still needs it', `${ups}: ${names}`);
    }
    const group = this.#fallenGroupOf(ups);
    if (group !== undefined)
      context.violated('no output is cut where the UPS has power and its group has not', `${ups}: ${group}`);
  }

  /** Everything that it may feed has ended, this host goes down, and it has no power itself. */
  #checkKept({ ups, reason, isHostGoing }: Kept): void {
    const context = this.#context;
    if (this.#isUncertain || reason.startsWith('it is not known')) return;
    const known = context.ups(ups);
    if (known === null) return;
    const { outageMs, fsd } = known.memory.upsHistory;
    if (outageMs === null && fsd !== 'acting') return;
    const up = this.#targets().filter(
      ({ name, group }) =>
        this.#feeds(group, ups) &&
        (name === thisHost
          ? !isHostGoing
          : !this.#ended.has(name) || this.#mayLive.has(name) || (this.#waits.get(name) ?? 0) > 0),
    );
    if (up.length === 0) this.#verdicts.set(ups, reason);
  }

  /** A group that certainly has too little power, although this member certainly has it. */
  #fallenGroupOf(ups: string): string | undefined {
    const context = this.#context;
    const hasNone = (member: string) => {
      const history = context.ups(member)?.memory.upsHistory;
      return history !== undefined && (history.outageMs !== null || history.fsd === 'acting');
    };
    return context.world.policies.groups.find(({ groupId, members, minHealthy }) => {
      if (!members.includes(ups) || context.isArmed(groupId)) return false;
      const key = memberKey(groupId, ups);
      const isPowered = this.#isCertainlyHealthy(key, ups) && this.#lasts(this.#healthySinceMs, key);
      return isPowered && members.filter((member) => !hasNone(member)).length < minHealthy;
    })?.groupId;
  }

  #targets(): readonly Target[] {
    const servers = this.#context.world.site.plant.servers.map(({ name, owner }) => ({ name, group: owner }));
    return [...servers, ...this.#hostGroups().map((group) => ({ name: thisHost, group }))];
  }

  #hostGroups(): readonly string[] {
    const { ups, groups } = this.#context.world.policies;
    return [...ups, ...groups]
      .map(({ groupId }) => groupId)
      .filter((groupId) => this.#context.powersOffHost(groupId));
  }

  #mayShutDown(owner: string): readonly string[] {
    return this.#context.world.site.plant.drain ? [owner, ...this.#hostGroups()] : [owner];
  }

  #feeds(group: string, ups: string): boolean {
    const { groups } = this.#context.world.policies;
    return (groups.find(({ groupId }) => groupId === group)?.members ?? [group]).includes(ups);
  }

  /** Too few of the other members can be HEALTHY. */
  #certainlyNeeds(group: string, ups: string): boolean {
    if (!this.#feeds(group, ups)) return false;
    const known = this.#context.world.policies.groups.find(({ groupId }) => groupId === group);
    if (known === undefined) return true;
    // `look` comes at the end of a tick: the reading before it may have ended what it has seen.
    const isStillIll = (key: string, member: string) =>
      this.#lasts(this.#illSinceMs, key) && this.#isCertainlyIll(key, member);
    const others = known.members.filter(
      (member) => member !== ups && !isStillIll(memberKey(group, member), member),
    );
    return others.length < known.minHealthy;
  }

  #lasts(since: ReadonlyMap<string, number>, key: string): boolean {
    return this.#context.world.machine.monotonicMs() - (since.get(key) ?? Infinity) > evaluatedMs;
  }

  /** `key`: of the member in its group. */
  #isCertainlyIll(key: string, member: string): boolean {
    const known = this.#context.ups(member);
    if (known === null) return false;
    const { active, upsHistory } = known.memory;
    const isMet = (this.#context.memory.members.get(key)?.met ?? null) !== null;
    return active !== null || isMet || upsHistory.fsd === 'acting' || upsHistory.batteryReadings >= 2;
  }

  #isCertainlyHealthy(key: string, member: string): boolean {
    const known = this.#context.ups(member);
    const own = this.#context.memory.members.get(key);
    if (known === null || known.memory.active !== null || (own?.met ?? null) !== null) return false;
    const { last, outageMs, fsd, offMs, failedPolls } = known.memory.upsHistory;
    return (
      last?.onLine === true && outageMs === null && fsd !== 'acting' && offMs === null && failedPolls === 0
    );
  }
}

// Judges a host that may restart in place of its power-off, by what its daemon was given and did, and by the truth of the world: never a
// restart into a cut, never a loop, never both or neither, and in every doubt the power-off.
import type { Reading } from '../../../shared/domain/ups/reading.js';
import { hasNoData } from '../../../shared/domain/ups/status-words.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { entriesOf } from '../../../supervisor/sequence/journal/record.js';
import { isPowerOff, isRestart } from '../configuration.js';
import type { Observer } from '../observer.js';
import type { World } from '../world.js';
import { hostGroups, isOnLine, mayBeOnLine } from './power.js';

export interface Broken {
  readonly atMs: number;
  readonly rule: string;
  readonly text: string;
}

/** The host may be booting so long after its restart was ordered. */
const underWayMs = 120_000;
/** Three restarts in a shorter time are a loop: the count begins again after 15 minutes on line power. */
const loopMs = 900_000;
/** From the last step to a command: the record 2 s, outputs 10 s, a reading 15 s, a command 30 s, and ticks. */
const longestChoiceMs = 65_000;

/** The first act at the end of a shutdown. */
export interface FirstAct {
  readonly what: 'power-off' | 'restart' | 'stays up';
  readonly atMs: number;
  /** By the last readings of the UPSes of the groups that power the host off. */
  readonly isPowerBack: boolean;
  /** The groups that had asked for the power-off by then, and when each was triggered. */
  readonly askedBy: readonly { readonly group: string; readonly triggeredMs: number }[];
}

interface GivenRestart {
  readonly atMs: number;
  outcome: CommandOutcome | null;
  isPowerKnownBack: boolean;
  /** The answer to the one before is not known. */
  readonly isAgain: boolean;
}

export class RestartJudge {
  broken: Broken | null = null;
  first: FirstAct | null = null;
  /** By group: when a sequence was last cancelled by readings with power. */
  readonly cancelledMs = new Map<string, number>();
  readonly #triggeredMs = new Map<string, number>();
  /** Cancelled in this input, whose reading comes after it. */
  #cancelled: string[] = [];
  /** When the host first lost power while it ran, and when its daemon had last been killed. */
  blackout: { readonly atMs: number; readonly killedMs: number | null } | null = null;
  #killedMs: number | null = null;
  readonly figures = { restarts: 0, powerOffs: 0, staysUp: 0, cutsAfterAll: 0, kills: 0 };
  readonly observer: Observer;
  readonly #world: World;
  /** By UPS: the last report that the daemon has handled. */
  readonly #polls = new Map<string, UpsPolled>();
  /** By UPS: the last good reading of this daemon. */
  readonly #readings = new Map<string, Reading>();
  readonly #cuts: { readonly ups: string; readonly actsMs: number }[] = [];
  readonly #restartsMs: number[] = [];
  /** Of this boot: when it was ordered, and how it ended. */
  #restart: GivenRestart | null = null;
  /** By the clock of the machine: one that sleeps neither restarts nor powers off. */
  #askedMs: number | null = null;
  #hasGivenUp = false;

  constructor(world: World) {
    this.#world = world;
    const nothing = () => undefined;
    this.observer = {
      ...{ notified: nothing, began: nothing, recovered: nothing, reported: nothing },
      ...{ commanded: nothing, configured: nothing, snapshotWritten: nothing },
      ...{ lost: nothing, hostUp: nothing },
      recorded: ({ type, source }) => {
        if (type === 'SHUTDOWN_TRIGGERED') this.#triggeredMs.set(source, this.#world.nowMs);
        if (type === 'SHUTDOWN_CANCELLED') this.#cancelled.push(source);
      },
      worldChanged: ({ kind }) => {
        if (kind === 'crash') this.#killedMs = this.#world.nowMs;
      },
      polled: (groupId, poll) => this.#polled(groupId, poll),
      ticked: () => this.#look(),
      handledOther: () => this.#look(),
      ran: (command) => this.#ran(command),
      commandEnded: (outcome, command) => {
        if (isRestart(command) && this.#restart !== null) this.#restart.outcome = outcome;
      },
      ended: ({ action }, outcome) => {
        if (action.kind === 'upsOutputOff' && outcome?.kind === 'done' && this.#askedMs !== null)
          this.figures.cutsAfterAll += 1;
      },
      cut: (ups) => this.#cut(ups),
      daemonStarted: () => {
        if (this.#restart !== null && !this.#isEndOnDisk()) this.#restart.outcome = null;
        this.#restartDaemon();
      },
      daemonDied: () => {
        this.figures.kills += 1;
        this.#restartDaemon();
      },
      loggedError: (message) => this.#violated('nothing throws', message),
      hostDown: (why) => {
        const { nowMs: atMs } = this.#world;
        if (why === 'blackout') this.blackout ??= { atMs, killedMs: this.#killedMs };
        this.#cuts.length = 0;
        this.#restart = null;
        this.#askedMs = null;
        this.#hasGivenUp = false;
        this.#forgetReports();
      },
    };
  }

  get isDecided(): boolean {
    return this.broken !== null;
  }

  #violated(rule: string, text: string): void {
    this.broken ??= { atMs: this.#world.nowMs, rule, text };
  }

  #polled(groupId: string, poll: UpsPolled): void {
    this.#polls.set(groupId, poll);
    const { outcome } = poll;
    if (outcome.kind === 'reading' && !hasNoData(outcome.reading.status))
      this.#readings.set(groupId, outcome.reading);
    if (this.#restart !== null && !this.#isPowerBack(isOnLine)) this.#restart.isPowerKnownBack = false;
    this.#look();
  }

  /** Not known from a previous daemon: what happens until its first readings is in doubt. */
  #restartDaemon(): void {
    this.#forgetReports();
    if (this.#restart !== null) this.#restart.isPowerKnownBack = false;
    if (this.#askedMs !== null) this.#askedMs = this.#world.machine.monotonicMs();
  }

  #forgetReports(): void {
    this.#polls.clear();
    this.#readings.clear();
  }

  /** Without it the next daemon runs the same restart again. */
  #isEndOnDisk(): boolean {
    const entries = entriesOf(this.#world.tmpfs.journals.read());
    const isOfRestart = ({ kind }: JournalEntry) => kind === 'restartChosen' || kind === 'restartEnded';
    return entries.findLast(isOfRestart)?.kind === 'restartEnded';
  }

  #readingOf(ups: string): Reading | null {
    const outcome = this.#polls.get(ups)?.outcome;
    return outcome?.kind === 'reading' ? outcome.reading : null;
  }

  #wordsOf(ups: string): readonly string[] | null {
    return this.#readingOf(ups)?.status ?? null;
  }

  /** By the last report of each member, of every group that powers this host off. */
  #isPowerBack(isBack = mayBeOnLine): boolean {
    return this.#isEnough((ups) => {
      const reading = this.#readingOf(ups);
      return reading !== null && isBack(reading);
    });
  }

  /** By the last good readings: a UPS that is lost on line power shuts nothing down, and powers nothing off. */
  #wasPowerBack(named: ReadonlySet<string>): boolean {
    const counts = (ups: string) => {
      const reading = this.#readings.get(ups);
      return reading !== undefined && mayBeOnLine(reading);
    };
    return this.#isEnough(counts, named);
  }

  /** In truth: by then no report may have said yet that mains is out. */
  #doMainsCarry(): boolean {
    return this.#isEnough((ups) => this.#world.devices.get(ups)?.onBattery === false);
  }

  #isEnough(counts: (ups: string) => boolean, named: ReadonlySet<string> | null = null): boolean {
    return hostGroups(this.#world.policies)
      .filter(({ groupId }) => named === null || named.has(groupId))
      .every(({ members, minHealthy }) => members.filter(counts).length >= minHealthy);
  }

  #act(what: FirstAct['what']): void {
    const { nowMs, site, devices, daemon } = this.#world;
    // A daemon that goes on after a kill acts on its first reading before that is known here.
    const isUnread = site.hostFeeds.some((ups) => this.#wordsOf(ups) === null);
    const isOnMains = site.hostFeeds.every((ups) => devices.get(ups)?.mainsCarry === true);
    const askedBy = [...(daemon.journal?.powerOff.askedBy ?? [])].map((group) => ({
      ...{ group, triggeredMs: this.#triggeredMs.get(group) ?? 0 },
    }));
    const isPowerBack = this.#isPowerBack() || (isUnread && isOnMains);
    this.first ??= { what, atMs: nowMs, isPowerBack, askedBy };
  }

  #ran(command: CommandLine): void {
    if (isRestart(command)) this.#restarts();
    else if (isPowerOff(command)) this.#powersOff();
  }

  #restarts(): void {
    const { nowMs, site } = this.#world;
    this.figures.restarts += 1;
    this.#act('restart');
    const into = this.#cuts.filter(({ ups, actsMs }) => site.hostFeeds.includes(ups) && actsMs > nowMs);
    if (into.length > 0)
      this.#violated('this host never restarts into a cut', into.map(({ ups }) => ups).join(', '));
    if (!this.#isPowerBack()) this.#violated('this host restarts only where power is back', this.#shown());
    const withFsd = site.hostFeeds.filter((ups) => this.#wordsOf(ups)?.includes('FSD') === true);
    if (withFsd.length > 0) this.#violated('this host never restarts under FSD', withFsd.join(', '));
    const silent = site.hostFeeds.filter((ups) => this.#wordsOf(ups) === null);
    if (silent.length > 0)
      this.#violated('this host never restarts on a UPS that is not read', silent.join(', '));
    const cycles = site.hostFeeds.filter(
      (ups) =>
        site.restart?.known.includes(ups) === true && site.plant.outputs.some((one) => one.ups === ups),
    );
    if (cycles.length > 0) this.#violated('a UPS that is known to cut on mains is cut', cycles.join(', '));
    if (this.#hasPowerOff()) this.#violated('never a restart after a power-off', this.#shown());
    const before = this.#restart?.outcome === null ? this.#restart : null;
    if (before === null) this.#restartsMs.push(nowMs);
    if (this.#restartsMs.filter((atMs) => nowMs - atMs < loopMs).length > 2)
      this.#violated('never a loop of restarts', this.#restartsMs.join(', '));
    const isAgain = before !== null && nowMs - before.atMs < underWayMs;
    this.#restart = { atMs: nowMs, outcome: null, isPowerKnownBack: this.#isPowerBack(isOnLine), isAgain };
  }

  #hasPowerOff(): boolean {
    return (this.#world.daemon.journal?.powerOff.attempts ?? 0) > 0;
  }

  #powersOff(): void {
    this.figures.powerOffs += 1;
    this.#act('power-off');
    const restart = this.#restart;
    const isGiven = restart?.outcome?.kind === 'exited' && restart.outcome.code === 0;
    if (isGiven && restart.isPowerKnownBack && this.#doMainsCarry())
      this.#violated('never a power-off after a restart while power is back', this.#shown());
  }

  #cut(ups: string): void {
    const { site, nowMs } = this.#world;
    const output = site.plant.outputs.find((one) => one.ups === ups);
    if (output?.behaviour === 'cuts') this.#cuts.push({ ups, actsMs: nowMs + output.offDelaySeconds * 1000 });
    const restart = this.#restart;
    if (restart === null || !site.hostFeeds.includes(ups)) return;
    // Of a second request within the time of the first: a killed daemon may have given that one.
    const isRefused = restart.outcome?.kind === 'exited' && restart.outcome.code !== 0 && !restart.isAgain;
    if (!isRefused && nowMs - restart.atMs < underWayMs)
      this.#violated('no output is cut under a host that restarts', ups);
  }

  /** After an input. */
  #look(): void {
    for (const group of this.#cancelled)
      if (this.#wasPowerBack(new Set([group]))) this.cancelledMs.set(group, this.#world.nowMs);
    this.#cancelled = [];
    const { daemon, machine } = this.#world;
    const nowMs = machine.monotonicMs();
    const { journal } = daemon;
    if (journal === null || !machine.up || daemon.stalled || machine.asleep) {
      if (this.#askedMs !== null) this.#askedMs = nowMs;
      return;
    }
    const { powerOff, restart } = journal;
    if (powerOff.givenUp && !this.#hasGivenUp) {
      this.figures.staysUp += 1;
      this.#act('stays up');
      // After an attempt at the power-off the confirmed return of power decides, with recovery off too.
      if (powerOff.attempts === 0 && !this.#wasPowerBack(powerOff.askedBy))
        this.#violated('this host stays up only where power is back', this.#shown());
    }
    this.#hasGivenUp = powerOff.givenUp;
    const isAsked = powerOff.askedBy.size > 0 && powerOff.attempts === 0 && !powerOff.givenUp;
    // Also of an outage before: while it may come, power that is back leaves the host as it is.
    const mayCome = restart !== null && machine.monotonicMs() - restart.atMs <= underWayMs;
    if (!isAsked || mayCome || restart?.isPast === false) this.#askedMs = null;
    else this.#askedMs ??= nowMs;
    if (this.#askedMs !== null && nowMs - this.#askedMs > longestChoiceMs)
      this.#violated('never neither a restart nor a power-off', this.#shown());
    // One that was given and does not come ends in the power-off, or is told.
    const isLate = restart !== null && machine.monotonicMs() - restart.atMs > underWayMs + longestChoiceMs;
    if (isLate && !restart.isPast && isAsked)
      this.#violated('a restart that does not come is told, or powers off', this.#shown());
  }

  #shown(): string {
    const wordsOf = (ups: string) => `${ups}: ${this.#wordsOf(ups)?.join(' ') ?? 'not read'}`;
    return this.#world.site.hostFeeds.map(wordsOf).join(', ');
  }
}

// The record of a host that one UPS feeds, from one moment of a night to the next, on a fake clock.
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import type { GroupFacts } from '../../../supervisor/recovery/group-record.js';
import { recordAfter } from '../../../supervisor/recovery/group-record.js';
import type { GuestEnd } from '../../../supervisor/recovery/recorded-guests.js';
import type { Look } from '../../../supervisor/recovery/target-record.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../supervisor/sequence/journal/record.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import { configurationFrom, office } from '../config/loading.js';

export const text = `${office}is_local = true
[ups.ups_output]
off_after_shutdown = true
[ups.nut_control]
username = "u"
password = "long enough"
[ups.containers]
enabled = true
[[ups.remote_servers]]
name = "nas"
host = "nas.example"
user = "root"
[local_shutdown]
command = ["off"]
`;
const identity = { machineId: 'm', configFile: '/etc/c.toml', configHash: 'h', bootId: 'b' };
const cause = { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1 } as const;
export const done: StepOutcome = { kind: 'done' };
export const failure = (more: object): StepOutcome => ({
  kind: 'failed',
  how: 'timeout',
  reason: '',
  ...more,
});

export const up: Look = { before: 'up', answers: true, unixSeconds: 10 };
export const silent: Look = { before: 'unknown', answers: false, unixSeconds: 20 };
export const nothingSeen: Look = { before: 'unknown', answers: null, unixSeconds: null };

/** A host that one UPS feeds, with a server and an output that is cut. */
export class Night {
  readonly #plan;
  #entries: JournalEntry[] = [];
  #number = 0;
  record: RecoveryRecord | undefined;
  look = up;
  onBattery = false;
  isOutputOff = false;
  isLookedAt = true;
  /** By name. */
  guestEnds: Readonly<Record<string, GuestEnd>> = {};
  isSettled = false;
  restarts: number | null = null;
  begun: ReadonlyMap<string | null, number> = new Map();
  #nowMs = 0;

  constructor(isDryRun = false) {
    const [plan] = plansOf(configurationFrom(isDryRun ? `${text}[behavior]\ndry_run = true\n` : text));
    if (plan === undefined) throw new Error('no plan');
    this.#plan = plan;
  }

  get #moment() {
    return { group: this.#plan.group, atMs: this.#nowMs, unixSeconds: 0 };
  }

  begins(dryRun = this.#plan.dryRun): this {
    this.#decide(dryRun);
    return this.now();
  }

  /** A whole sequence, with these steps, before the record is derived again. */
  runs(...ids: string[]): this {
    this.#decide(this.#plan.dryRun);
    for (const id of ids) this.#do(id, done);
    return this.ends();
  }

  does(id: string, outcome: StepOutcome | null): this {
    this.#do(id, outcome);
    return this.now();
  }

  #decide(dryRun: boolean): void {
    this.#entries = [{ kind: 'decided', cause, plan: { ...this.#plan, dryRun }, ...this.#moment }];
  }

  #do(id: string, outcome: StepOutcome | null): void {
    const step = this.#plan.phases.flatMap(({ steps }) => steps).find((known) => known.id.includes(id));
    if (step === undefined) throw new Error(`no ${id} in ${JSON.stringify(this.#plan.phases)}`);
    this.#entries.push({ kind: 'stepBegan', step: step.id, ...this.#moment });
    if (outcome !== null) this.#entries.push({ kind: 'stepEnded', step: step.id, outcome, ...this.#moment });
  }

  finds(id: string, ...names: string[]): this {
    const step = this.#plan.phases.flatMap(({ steps }) => steps).find((known) => known.id.includes(id));
    if (step === undefined) throw new Error(`no ${id}`);
    const guests = names.map((name) => ({ engine: 'docker', id: name, name, user: null }) as const);
    return this.writes({ kind: 'found', step: step.id, guests, ...this.#moment });
  }

  writes(...entries: JournalEntry[]): this {
    this.#entries.push(...entries);
    return this.now();
  }

  ends(): this {
    return this.writes({ kind: 'over', cancelled: null, ...this.#moment });
  }

  now(look = this.look, seconds = 1): this {
    this.look = look;
    const sinceMs = this.#nowMs;
    this.#nowMs += seconds * 1000;
    const fold = foldOf(this.#entries);
    const facts: GroupFacts = {
      group: this.#plan.group,
      servers: [{ name: 'nas', haltTimeoutMs: 120_000, isLookedAt: this.isLookedAt }],
      feedsHost: true,
      onBattery: this.onBattery,
      sinceMs,
      sequence: fold.groups.get(this.#plan.group),
      powerOff: fold.powerOff,
      lookAt: () => look,
      isOutputOff: () => this.isOutputOff,
      nowMs: this.#nowMs,
      guestEnd: (_, { name }) => this.guestEnds[name] ?? null,
      nowUnixSeconds: 1_000 + this.#nowMs / 1000,
      isSettled: this.isSettled,
      begun: this.begun,
      byHand: new Map(),
      restarts: this.restarts,
    };
    const after = recordAfter(this.record, facts, identity, this.#number + 1);
    if (after !== this.record) this.#number += 1;
    this.record = after;
    return this;
  }

  get number(): number {
    return this.#number;
  }

  get nas() {
    return this.record?.targets[0];
  }

  get host() {
    return this.record?.targets[1];
  }

  get cut(): string | undefined {
    return this.record?.outputs[0]?.cut;
  }
}

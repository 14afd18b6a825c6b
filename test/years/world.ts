// Two years of two UPSes as the supervisor would send them to storage, in order, and what is true of them. `rack` has a battery
// that dies; that of `desk` is worn and replaced. The clock of the daemon is set back once.
import { causePrefix } from '../../shared/domain/outage/outage.js';
import type { SelfTestRow } from '../../shared/protocol/self-tests.js';
import type { ChangeRecord, EventRecord, SampleRecord } from '../../shared/protocol/storage.js';
import { Random } from '../simulation/random.js';
import type { Incident } from './incidents.js';
import { incidentsOf } from './incidents.js';
import { UnitLife } from './unit-life.js';

const day = 86_400;
const year = 365.25 * day;

/** On line power: the longest step that counts as energy. */
const lineStep = 120;
export const batteryStep = 2;
/** The clock is set back by an hour, and by seconds more, so that no two samples have one time. */
export const setBackSeconds = 3607;

export type Item =
  | { readonly kind: 'sample'; readonly sample: SampleRecord }
  | { readonly kind: 'change'; readonly change: ChangeRecord }
  | { readonly kind: 'event'; readonly event: Omit<EventRecord, 'seq'> }
  | { readonly kind: 'test'; readonly row: SelfTestRow };

/** One time on battery of one UPS, as it truly was. Times of the daemon's clock. */
export interface TrueDischarge {
  readonly groupId: string;
  readonly cause: 'outage' | 'self-test' | 'calibration';
  readonly start: number;
  readonly end: number;
  readonly kwh: number;
  readonly lowestCharge: number;
  readonly loadPercent: number;
  /** Against a new battery. */
  readonly capacity: number;
}

export interface YearsOptions {
  readonly from: number;
  readonly until: number;
  readonly seed: number;
}

export class World {
  readonly from: number;
  readonly until: number;
  /** True times at which the battery of `desk` is replaced, and the clock is set back. */
  readonly replacedAt: number;
  readonly setBackAt: number;
  readonly incidents: readonly Incident[];
  readonly units: readonly UnitLife[];
  readonly discharges: TrueDischarge[] = [];
  readonly tests: SelfTestRow[] = [];

  constructor({ from, until, seed }: YearsOptions) {
    this.from = from;
    this.until = until;
    this.replacedAt = from + 1.2 * year;
    this.setBackAt = from + 1.5 * year;
    const random = new Random(seed);
    const load = (base: number) => (at: number) =>
      base * (1 + 0.12 * Math.sin(((at % day) / day) * 2 * Math.PI) + 0.03 * Math.sin(at / (40 * day)));
    const { replacedAt } = this;
    this.units = [
      new UnitLife(
        {
          groupId: 'rack',
          nominalWatts: 900,
          isMeasured: true,
          watts: load(270),
          // Good for half a year, then it loses a quarter of a new battery in a year.
          capacity: (at) => 1 - 0.27 * Math.max(0, (at - from) / year - 0.5),
          batteryDate: () => '2021-05-01',
        },
        random,
      ),
      new UnitLife(
        {
          groupId: 'desk',
          nominalWatts: 500,
          isMeasured: false,
          watts: load(150),
          // Worn from the begin on; it loses a quarter more in its last ten months.
          capacity: (at) => (at < replacedAt ? 0.9 - 0.3 * Math.max(0, (at - from) / year - 0.4) : 1),
        },
        random,
      ),
    ];
    const names = this.units.map(({ options }) => options.groupId);
    this.incidents = incidentsOf(random, from, until, names, (text) => Date.parse(text) / 1000);
  }

  unit(name: string): UnitLife {
    const found = this.units.find(({ options }) => options.groupId === name);
    if (found === undefined) throw new Error(`no UPS ${name}`);
    return found;
  }

  /** The daemon's clock at a true time. */
  wall(trueAt: number): number {
    return trueAt < this.setBackAt ? trueAt : trueAt - setBackSeconds;
  }

  *items(): Iterable<Item> {
    for (const { options } of this.units)
      yield this.#change(options.groupId, this.from, { 'ups.status': 'OL', 'ups.mfr': 'Generated' }, true);
    let at = this.from;
    for (const incident of this.incidents) {
      if (incident.at < at)
        throw new Error(`an incident at ${String(incident.at)} begins before the last is over`);
      yield* this.#line(at, incident.at);
      at = incident.at;
      const mine = this.units.filter(
        ({ options }) => incident.ups === null || options.groupId === incident.ups,
      );
      const others = this.units.filter((unit) => !mine.includes(unit));
      if (incident.kind === 'gap') {
        for (const unit of mine) unit.startAfterGap();
        yield* this.#line(at, at + incident.seconds, others);
        for (const unit of mine) unit.pass(at, incident.seconds, false);
        at += incident.seconds;
      } else {
        yield* this.#onBattery(incident, mine, others);
        at += incident.seconds;
      }
    }
    yield* this.#line(at, this.until);
  }

  *#line(from: number, until: number, units: readonly UnitLife[] = this.units): Iterable<Item> {
    for (let at = from; at < until; at += lineStep)
      for (const unit of units) {
        // The step over which the clock is set back has no length on that clock.
        if (at - lineStep < this.setBackAt && at >= this.setBackAt) unit.startAfterGap();
        yield* this.#sample(unit, at, unit.charge < 100 ? 'OL CHRG' : 'OL');
        unit.pass(at, Math.min(lineStep, until - at), false);
      }
  }

  *#onBattery(
    { at, seconds, kind, backSeconds = 0 }: Incident,
    mine: readonly UnitLife[],
    others: readonly UnitLife[],
  ): Iterable<Item> {
    if (kind === 'gap') return;
    const words = { outage: 'OB DISCHRG', 'self-test': 'OB DISCHRG TEST', calibration: 'OB DISCHRG CAL' };
    const wall = this.wall(at);
    const cause = kind === 'outage' ? null : kind;
    const half = at + Math.floor(seconds / 2);
    const begins = mine.map((unit) => ({ unit, charge: unit.charge, joules: 0 }));
    for (const { unit } of begins) {
      const { groupId } = unit.options;
      yield { kind: 'event', event: this.#event(groupId, at, 'ON_BATTERY', causePrefix(cause)) };
      yield this.#change(groupId, at, { 'ups.status': words[kind] });
    }
    for (let now = at; now < at + seconds; now += batteryStep) {
      const isBack = backSeconds > 0 && now >= half && now < half + backSeconds;
      const turns = backSeconds > 0 && (now === half || now === half + backSeconds);
      for (const one of begins) {
        const { groupId } = one.unit.options;
        if (turns) {
          yield { kind: 'event', event: this.#event(groupId, now, isBack ? 'POWER_RESTORED' : 'ON_BATTERY') };
          yield this.#change(groupId, now, { 'ups.status': isBack ? 'OL CHRG' : words[kind] });
        }
        yield* this.#sample(one.unit, now, isBack ? 'OL CHRG' : words[kind]);
        one.unit.pass(now, batteryStep, !isBack);
        if (!isBack) one.joules += one.unit.options.watts(now) * batteryStep;
      }
      if ((now - at) % lineStep === 0)
        for (const unit of others) {
          yield* this.#sample(unit, now, 'OL');
          unit.pass(now, lineStep, false);
        }
    }
    const end = at + seconds;
    for (const { unit, joules } of begins) {
      const { groupId, capacity } = unit.options;
      yield { kind: 'event', event: this.#event(groupId, end, 'POWER_RESTORED') };
      yield this.#change(groupId, end, { 'ups.status': 'OL CHRG' });
      this.discharges.push({
        ...{ groupId, cause: kind, start: wall, end: this.wall(end), kwh: joules / 3_600_000 },
        ...{ lowestCharge: unit.charge, loadPercent: unit.loadPercent(at), capacity: capacity(at) },
      });
      if (kind !== 'self-test') continue;
      const isPassed = capacity(at) > 0.65;
      const row: SelfTestRow = {
        groupId,
        test: {
          ...{ startedTs: wall, endedTs: wall + seconds + 60, command: 'test.battery.start.quick' },
          ...{ source: 'scheduler', result: isPassed ? 'PASSED' : 'FAILED', date: null },
          raw: isPassed ? 'Done and passed' : 'Done and error',
        },
      };
      this.tests.push(row);
      yield { kind: 'test', row };
    }
  }

  *#sample(unit: UnitLife, at: number, status: string): Iterable<Item> {
    unit.count(at, this.wall(at));
    yield { kind: 'sample', sample: unit.sample(at, this.wall(at), status) };
  }

  #event(source: string, at: number, type: EventRecord['type'], detail = ''): Omit<EventRecord, 'seq'> {
    return { at: this.wall(at), source, type, detail };
  }

  #change(groupId: string, at: number, variables: Record<string, string>, isWhole = false): Item {
    return { kind: 'change', change: { groupId, at: this.wall(at), isWhole, variables } };
  }
}

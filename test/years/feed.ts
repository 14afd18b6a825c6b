// Sends the generated years to the real storage worker as the supervisor does, on a clock that goes with them, and keeps what
// the worker tells of the batteries.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatteryHealth, BatterySettings } from '../../shared/domain/ups/battery/health.js';
import type { EventType } from '../../shared/domain/status/events.js';
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import type { EnergyCounted } from '../../shared/protocol/energy-counted.js';
import type { AssessedBattery, EventRecord, SampleRecord } from '../../shared/protocol/storage.js';
import { StorageProcess } from '../integration/storage/storage-process.js';
import { daily } from '../workers/storage/battery/bench.js';
import { clockFileVariable } from './driven-clock.js';
import type { Item, World } from './world.js';
import { dateOf } from './unit-life.js';

const perRequest = 2000;
const deadlineMs = 120_000;
const run = 'years';

export const batterySettings = (groupId: string): BatterySettings => ({ ...daily, groupId });

export interface Alert {
  readonly groupId: string;
  readonly type: EventType;
  readonly at: number;
  readonly health: BatteryHealth;
}

export class Feed {
  /** In the order in which they were due. */
  readonly alerts: Alert[] = [];
  /** The last assessment of each UPS, and the first of each of its months: `UPS YYYY-MM`. */
  readonly health = new Map<string, BatteryHealth>();
  readonly monthly = new Map<string, BatteryHealth>();
  energy: EnergyCounted['ups'] = [];
  /** What the worker logged as a warning or an error: it should have had no reason. */
  complaints: readonly LogRecord[] = [];
  readonly #world: World;
  readonly #directory: string;
  readonly #clockFolder = mkdtempSync(join(tmpdir(), 'ridethrough-years-'));
  readonly #clockFile = openSync(join(this.#clockFolder, 'clock'), 'w');
  readonly #clock = new Float64Array(1);
  readonly #due: Omit<EventRecord, 'seq'>[] = [];
  #samples: SampleRecord[] = [];
  #storage: StorageProcess | undefined;
  #seq = 0;

  constructor(world: World, directory: string) {
    this.#world = world;
    this.#directory = directory;
  }

  async feed(): Promise<void> {
    this.#set(this.#world.from);
    await this.#start();
    for (const item of this.#world.items()) await this.#take(item);
    await this.#flush();
    await this.#process.drain();
    this.complaints = this.#process.log.filter(({ level }) => level !== 'info' && level !== 'debug');
    closeSync(this.#clockFile);
    rmSync(this.#clockFolder, { recursive: true });
  }

  get #process(): StorageProcess {
    if (this.#storage === undefined) throw new Error('storage is not started');
    return this.#storage;
  }

  async #start(): Promise<void> {
    const preload = new URL('driven-clock.js', import.meta.url).href;
    const clock = join(this.#clockFolder, 'clock');
    this.#storage = await StorageProcess.start({
      directory: this.#directory,
      prefix: ['env', `NODE_OPTIONS=--import=${preload}`, `${clockFileVariable}=${clock}`],
      longestDeadlineMs: deadlineMs,
      batteries: this.#world.units.map(({ options }) => batterySettings(options.groupId)),
    });
    this.#storage.heard = (name, body) => {
      if (name === 'energy.counted') this.energy = (body as EnergyCounted).ups;
      if (name === 'batteries.assessed')
        for (const one of (body as { ups: readonly AssessedBattery[] }).ups) this.#assessed(one);
    };
  }

  #assessed({ groupId, health, due }: AssessedBattery): void {
    this.health.set(groupId, health);
    const month = `${groupId} ${dateOf(health.ts).slice(0, 7)}`;
    if (!this.monthly.has(month)) this.monthly.set(month, health);
    for (const type of due) {
      const isKnown = this.#due.some((one) => one.type === type && one.source === groupId);
      if (!isKnown) this.#due.push({ at: health.ts, source: groupId, type, detail: '' });
    }
  }

  async #take(item: Item): Promise<void> {
    if (item.kind === 'sample') {
      this.#samples.push(item.sample);
      if (this.#samples.length >= perRequest) await this.#flush();
      return;
    }
    await this.#flush();
    if (item.kind === 'event') await this.#append(item.event);
    else if (item.kind === 'change') await this.#request('changes.append', { changes: [item.change] });
    else await this.#request('selfTests.keep', { tests: [item.row] });
  }

  async #flush(): Promise<void> {
    const samples = this.#samples;
    this.#samples = [];
    const last = samples.at(-1);
    if (last === undefined) return;
    this.#set(last.at);
    await this.#request('samples.append', { samples });
    for (const event of this.#due.splice(0)) {
      const health = this.health.get(event.source);
      if (health === undefined) throw new Error('an alert without an assessment');
      this.alerts.push({ groupId: event.source, type: event.type, at: event.at, health });
      await this.#append(event);
    }
  }

  #append(event: Omit<EventRecord, 'seq'>): Promise<void> {
    this.#seq += 1;
    return this.#request('events.append', { run, events: [{ ...event, seq: this.#seq }] });
  }

  async #request(name: Parameters<StorageProcess['request']>[0], params: unknown): Promise<void> {
    const outcome = await this.#process.request(name, params as never, deadlineMs);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code}: ${outcome.error.message}`);
  }

  #set(unixSeconds: number): void {
    this.#clock[0] = unixSeconds * 1000;
    writeSync(this.#clockFile, this.#clock, 0, this.#clock.byteLength, 0);
  }
}

// Kills the storage worker during writes, repeatedly, and checks the database. By hand: `node
// dist/test/integration/storage/kill-loop.js --kills 1000`.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Database } from '../../../workers/storage/database.js';
import { DaemonSide } from './daemon-side.js';
import { StorageProcess } from './storage-process.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const flushIntervalMs = 100;
/** The queue of the supervisor has room for more: it drops none. */
const mostWaiting = 10_000;
/** Sometimes the supervisor is lost too, with everything it had not sent. */
const supervisorLostEvery = 5;

export interface KillReport {
  readonly kills: number;
  readonly integrity: string;
  readonly acknowledged: number;
  /** Acknowledged events that are missing or changed in the database. */
  readonly eventsLost: number;
  /** Events that are stored more than once. */
  readonly eventsDoubled: number;
  /** Events of surviving supervisors that never arrived. */
  readonly eventsMissing: number;
  readonly samples: number;
  /** Acknowledged samples that are missing. */
  readonly samplesLost: number;
  /** The most samples lost with a supervisor; its worker was already dead. */
  readonly samplesTakenAlong: number;
}

/** What one supervisor has sent, and which acknowledgements it received. */
interface Life {
  readonly side: DaemonSide;
  readonly events: string[];
  readonly samples: number[];
}

export async function killLoop(kills: number): Promise<KillReport> {
  const directory = temporaryFolder();
  const acknowledged: { readonly id: number; readonly detail: string }[] = [];
  const expectedEvents: string[] = [];
  const expectedSamples: number[] = [];
  let samplesTakenAlong = 0;
  let number = 0;
  const begin = (): Life => ({
    side: new DaemonSide(`run-${String((number += 1))}`, flushIntervalMs),
    events: [],
    samples: [],
  });
  let life = begin();
  const finish = (all: boolean): void => {
    life.side.end();
    acknowledged.push(...life.side.acknowledged);
    const { samplesWaiting } = life.side.queue.figures;
    if (all) expectedEvents.push(...life.events);
    expectedSamples.push(...life.samples.slice(0, life.samples.length - samplesWaiting));
    samplesTakenAlong = Math.max(samplesTakenAlong, samplesWaiting);
  };
  let at = 1_750_000_000;
  for (let kill = 1; kill <= kills; kill += 1) {
    const storage = await StorageProcess.start({ directory });
    life.side.attach(storage);
    // The moment of the kill varies over opening, writing and committing; every other one comes after a commit.
    const { side, samples } = life;
    const stored = (): number => samples.length - side.queue.figures.samplesWaiting;
    const [events, values] = [side.acknowledged.length + (kill % 2), stored() + (kill % 2)];
    const diesAt = performance.now() + ((kill * 37) % 180);
    while (performance.now() < diesAt || side.acknowledged.length < events || stored() < values) {
      await pause(1);
      if (side.queue.figures.samplesWaiting > mostWaiting) continue;
      const detail = `${String(number)}/${String(life.events.length)}`;
      life.side.event(detail);
      life.events.push(detail);
      for (let count = 0; count < 5; count += 1) {
        at += 1;
        life.side.queue.sample({ groupId: 'office', at, values: Array<number>(11).fill(count) });
        life.samples.push(at);
      }
    }
    await storage.kill();
    life.side.storage = undefined;
    if (kill % supervisorLostEvery === 0) {
      finish(false);
      life = begin();
    }
  }
  const last = await StorageProcess.start({ directory });
  life.side.attach(last);
  await life.side.settle();
  finish(true);
  await last.drain();
  const report = await look(join(directory, 'ridethrough.db'), acknowledged, expectedEvents, expectedSamples);
  return { kills, samplesTakenAlong, ...report };
}

async function look(
  path: string,
  acknowledged: readonly { readonly id: number; readonly detail: string }[],
  expectedEvents: readonly string[],
  expectedSamples: readonly number[],
): Promise<Omit<KillReport, 'kills' | 'samplesTakenAlong'>> {
  const db = await Database.open(path);
  const integrity = String(await db.value('SELECT integrity_check AS value FROM pragma_integrity_check'));
  const events = await db.all<{ id: number; detail: string }>('SELECT id, detail FROM events ORDER BY id');
  const byId = new Map(events.map(({ id, detail }) => [id, detail]));
  const details = new Set(events.map(({ detail }) => detail));
  const stored = await db.all<{ ts: number }>(
    'SELECT ts FROM samples UNION ALL SELECT ts FROM recent_samples',
  );
  const times = new Set(stored.map(({ ts }) => ts / 1000));
  await db.close();
  return {
    integrity,
    acknowledged: acknowledged.length,
    eventsLost: acknowledged.filter(({ id, detail }) => byId.get(id) !== detail).length,
    eventsDoubled: events.length - details.size,
    eventsMissing: expectedEvents.filter((detail) => !details.has(detail)).length,
    samples: stored.length,
    samplesLost: expectedSamples.filter((time) => !times.has(time)).length,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '1000' } } });
  console.log(await killLoop(Number(values.kills)));
}

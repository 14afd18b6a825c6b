import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../../workers/storage/database.js';
import { DaemonSide } from './daemon-side.js';
import { killLoop } from './kill-loop.js';
import { StorageProcess } from './storage-process.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('a storage worker that is killed during a write', () => {
  it('leaves an intact database with every acknowledged event once and every acknowledged sample', async () => {
    const report = await killLoop(25);
    expect(report).to.include({
      kills: 25,
      integrity: 'ok',
      eventsLost: 0,
      eventsDoubled: 0,
      eventsMissing: 0,
      samplesLost: 0,
    });
    // Every other kill comes after a commit of both.
    expect(report.acknowledged).to.be.above(12);
    expect(report.samples).to.be.above(12);
  });

  it('loses the samples of at most one flush interval when the supervisor dies with it', async () => {
    const directory = temporaryFolder();
    const storage = await StorageProcess.start({ directory });
    const side = new DaemonSide('run-1', 1000);
    let pushed = 0;
    /** For each flush that is answered: how many samples had been pushed when it was sent. */
    const flushed: number[] = [];
    const request: typeof storage.request = async (name, params, deadlineMs) => {
      const before = pushed;
      const outcome = await storage.request(name, params, deadlineMs);
      if (name === 'samples.append') flushed.push(before);
      return outcome;
    };
    side.attach({ request });
    while (flushed.length < 2) {
      side.sample();
      pushed += 1;
      await pause(10);
    }
    const kept = pushed - side.queue.figures.samplesWaiting;
    await storage.kill();
    side.end();
    const db = await Database.open(join(directory, 'ridethrough.db'));
    expect(await db.number('SELECT count(*) AS value FROM recent_samples')).to.be.at.least(kept);
    expect(kept).to.be.at.least(flushed[1] ?? Infinity);
    expect(flushed[1]).to.be.above(flushed[0] ?? Infinity);
    await db.close();
  });
});

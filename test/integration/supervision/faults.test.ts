// Every fault of a worker: it comes back, and no other process is affected. The times are printed and not judged;
// test/supervisor/supervision tests deadlines on a fake clock.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { LossReason } from '../../../supervisor/supervision/worker-spec.js';
import type { Fault } from '../../fixtures/workers/echo.js';
import { fifoPath } from '../../fixtures/workers/misbehaviour.js';
import type { EchoHandle } from './harness.js';
import { Harness } from './harness.js';
import { until } from '../../fixtures/until.js';

/** Longer than the silence of a worker on a busy machine. */
const patientMs = 20_000;
/** Beats of the unaffected worker: shorter than a poll, for precise figures. */
const beatMs = 50;

interface Case {
  readonly fault: Fault;
  /** Reasons that may be seen first; two where the kernel or V8 may be faster than the supervisor. */
  readonly asProcess?: readonly LossReason[];
  readonly asMember?: readonly LossReason[];
}

const cases: readonly Case[] = [
  { fault: 'spin', asProcess: ['silent'], asMember: ['silent'] },
  { fault: 'read-fifo', asProcess: ['silent'], asMember: ['silent'] },
  // On a slow machine V8 collects garbage for longer than a worker may be silent.
  { fault: 'arrays', asProcess: ['ended', 'memory', 'silent'], asMember: ['host-lost', 'silent'] },
  { fault: 'map', asProcess: ['ended', 'memory', 'silent'], asMember: ['host-lost', 'silent'] },
  { fault: 'buffers', asProcess: ['memory'], asMember: ['host-lost', 'silent'] },
  { fault: 'flood-frames', asProcess: ['flood', 'ended'], asMember: ['flood', 'silent', 'host-lost'] },
  { fault: 'flood-events', asProcess: ['flood', 'ended'], asMember: ['flood', 'silent', 'host-lost'] },
  { fault: 'flood-paced', asProcess: ['flood'], asMember: ['flood'] },
  { fault: 'flood-raw', asProcess: ['flood'] },
  {
    fault: 'flood-stderr',
    asProcess: ['silent', 'ended', 'memory'],
    asMember: ['silent', 'host-lost'],
  },
  { fault: 'throw', asProcess: ['ended'], asMember: ['ended'] },
  { fault: 'exit', asProcess: ['ended'], asMember: ['host-lost'] },
  { fault: 'garbage', asProcess: ['violation'] },
  { fault: 'oversized', asProcess: ['violation'] },
  { fault: 'malformed', asProcess: ['violation'], asMember: ['violation'] },
  { fault: 'hello-again', asProcess: ['violation'], asMember: ['violation'] },
  { fault: 'answer-unasked', asProcess: ['violation'], asMember: ['violation'] },
  { fault: 'drained-unasked', asProcess: ['violation'], asMember: ['violation'] },
  { fault: 'close-link', asProcess: ['ended', 'link-closed'], asMember: ['ended'] },
];

describe('a worker that fails', () => {
  const figures: string[] = [];
  // One supervision and one witness for all: each test has a worker of its own to hurt.
  let harness: Harness;
  let witness: EchoHandle;

  before(() => execFileSync('mkfifo', [fifoPath(process.pid)]));
  after(() => rmSync(fifoPath(process.pid)));
  before(() => {
    harness = new Harness();
    witness = harness.member('witness', 'two', { settings: { beatMs } });
  });
  afterEach(() => harness.supervision.stopAll(['hit'], 3000));
  after(() => harness.end());
  after(() => {
    console.log(figures.join('\n'));
  });

  for (const { fault, asProcess, asMember } of cases) {
    for (const [place, reasons] of [
      ['process', asProcess],
      ['member', asMember],
    ] as const) {
      if (reasons === undefined) continue;
      it(`by ${fault} as a ${place} is back soon, and the others are not affected`, async () => {
        // Where silence is not the reason, a busy machine must not cause it.
        const changes = reasons.includes('silent') ? {} : { limits: { silenceMs: patientMs } };
        const hit =
          place === 'process' ? harness.process('hit', changes) : harness.member('hit', 'one', changes);
        await harness.ready(hit, witness);
        const { restarts } = witness;
        const sinceMs = systemClock.monotonicMs();
        harness.takeLateness();

        const { backMs, loss } = await harness.hurt(hit, fault);

        const lateMs = harness.takeLateness();
        const gapMs = harness.longestGapMs('witness', sinceMs);
        figures.push(
          `      ${place.padEnd(8)}${fault.padEnd(16)}${loss.reason.padEnd(12)}back after ${backMs.toFixed(0).padStart(4)} ms, ` +
            `longest gap of the witness ${gapMs.toFixed(0).padStart(3)} ms, supervisor late ${lateMs.toFixed(0).padStart(3)} ms`,
        );
        expect(loss.reason).to.be.oneOf(reasons);
        expect(hit.restarts, 'it is started again once').to.equal(1);
        await until(() => harness.beatsSince('witness', sinceMs) > 0);
        expect(witness.restarts).to.equal(restarts);
        expect(await hit.request('echo', { text: 'again' }, patientMs)).to.have.property('ok', true);
      });
    }
  }
});

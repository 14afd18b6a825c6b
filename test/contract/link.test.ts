// One suite over every kind of link: in memory, to a member of a process, to a process. A worker cannot tell which it has.
import { expect } from 'chai';
import { connections } from './connections.js';
import { EchoLife } from './echo-life.js';

/** The deadline of what a busy machine must answer. */
const patientMs = 20_000;

for (const { kind, connect } of connections) {
  describe(`A link ${kind}`, () => {
    let life: EchoLife;
    beforeEach(async () => {
      life = new EchoLife(connect);
      await life.ready;
    });
    afterEach(() => life.end());

    it('carries a request and its answer', async () => {
      const outcome = await life.child.request('echo', { text: 'grüß dich\n"' }, patientMs);
      expect(outcome).to.deep.equal({ ok: true, value: { text: 'grüß dich\n"' } });
    });

    it('carries an expected failure as data', async () => {
      const outcome = await life.child.request('fail', {}, patientMs);
      expect(outcome).to.deep.equal({ ok: false, error: { code: 'ACCESS-DENIED', message: 'not today' } });
    });

    it('answers an exception of a worker as a bug of the worker', async () => {
      const outcome = await life.child.request('throw', {}, patientMs);
      expect(outcome).to.deep.equal({ ok: false, error: { code: 'WORKER_ERROR', message: 'a bug' } });
    });

    it('answers many requests, each with its own answer', async () => {
      const texts = Array.from({ length: 200 }, (_, index) => `text ${String(index)}`);
      const outcomes = await Promise.all(
        texts.map((text) => life.child.request('echo', { text }, patientMs)),
      );
      expect(outcomes).to.deep.equal(texts.map((text) => ({ ok: true, value: { text } })));
    });

    it('does not wait for an answer past its deadline', async () => {
      const outcome = await life.child.request('ponder', {}, 100);
      expect(outcome).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
      expect(await life.child.request('echo', { text: 'still here' }, patientMs)).to.have.property(
        'ok',
        true,
      );
    });

    it('delivers queued events in order and none twice, also many more than its credit', async () => {
      await life.child.request('count', { to: 900 }, patientMs);
      await life.until(() => life.numbers.length >= 900);
      expect(life.numbers).to.deep.equal(Array.from({ length: 900 }, (_, index) => index + 1));
    });

    it('delivers the newest of events that came too fast, and drops those between', async () => {
      await life.child.request('change', { to: 900 }, patientMs);
      await life.until(() => life.numbers.at(-1) === 900);
      expect(life.numbers).to.deep.equal([1, 2, 900]);
    });

    it('carries a request of the worker and its answer', async () => {
      const outcome = await life.child.request('double', { number: 21 }, patientMs);
      expect(outcome).to.deep.equal({ ok: true, value: { text: '42' } });
    });

    it('carries a refusal of such a request', async () => {
      const outcome = await life.child.request('double', { number: 13 }, patientMs);
      expect(outcome).to.deep.equal({ ok: true, value: { text: 'UNLUCKY' } });
    });

    it('delivers log records in order, under the name of the worker', async () => {
      await life.child.request('say', { lines: 20 }, patientMs);
      await life.until(() => life.records.length >= 20);
      expect(life.records.map(({ message }) => message)).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => `line ${String(index + 1)}`),
      );
      expect(new Set(life.records.map(({ logger }) => logger))).to.deep.equal(new Set(['echo:test']));
    });

    it('delivers changed settings to a running worker', async () => {
      life.relabel('second');
      const outcome = await life.child.request('label', {}, patientMs);
      expect(outcome).to.deep.equal({ ok: true, value: { text: 'second' } });
    });

    it('ends once the worker has drained', async () => {
      life.child.drain();
      await life.gone;
      expect(life.loss).to.equal(null);
    });

    it('answers open requests with WORKER_GONE when the worker is killed', async () => {
      const open = life.child.request('ponder', {}, 60_000);
      life.child.kill();
      expect(await open).to.have.nested.property('error.code', 'WORKER_GONE');
      const later = await life.child.request('echo', { text: '' }, patientMs);
      expect(later).to.have.nested.property('error.code', 'WORKER_GONE');
    });

    for (const fault of ['hello-again', 'malformed', 'replay', 'unknown-event', 'bad-body'] as const) {
      it(`is ended by a worker's ${fault.replace('-', ' ')}`, async () => {
        void life.child.request('misbehave', { fault }, patientMs);
        await life.gone;
        expect(life.loss).to.have.property('reason', 'violation');
      });
    }
  });
}

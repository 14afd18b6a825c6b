import { expect } from 'chai';
import * as t from 'io-ts';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { maxPending, Requests } from '../../../supervisor/supervision/requests.js';

const result = t.type({ text: t.string });

describe('A request to a worker', () => {
  let requests: Requests;
  let sent: number[];
  const ask = (dueAtMs = 1000): Promise<Outcome<unknown>> =>
    requests.ask('echo', result, dueAtMs, (id) => void sent.push(id));

  beforeEach(() => {
    requests = new Requests('echo:test');
    sent = [];
  });

  it('is settled by its own answer', async () => {
    const [first, second] = [ask(), ask()];
    expect(requests.answered(sent[1] ?? 0, { text: 'two' })).to.equal(null);
    expect(requests.answered(sent[0] ?? 0, { text: 'one' })).to.equal(null);
    expect(await first).to.deep.equal({ ok: true, value: { text: 'one' } });
    expect(await second).to.deep.equal({ ok: true, value: { text: 'two' } });
  });

  it('is answered once, and a second answer is a violation', () => {
    void ask();
    expect(requests.answered(1, { text: '' })).to.equal(null);
    expect(requests.answered(1, { text: '' })).to.contain('not pending');
    expect(requests.refused(1, { code: 'X', message: '' })).to.contain('not pending');
  });

  it('that was never sent has no answer', () => {
    expect(requests.answered(7, { text: '' })).to.contain('request 7');
  });

  it('is not settled by an answer that cannot be decoded', () => {
    void ask();
    expect(requests.answered(1, { text: 5 }))
      .to.contain('echo')
      .and.to.contain('text');
  });

  it('fails at its deadline, and its late answer is ignored once', async () => {
    const open = ask(1000);
    requests.expire(999);
    requests.expire(1000);
    expect(await open).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
    expect(requests.answered(1, 'anything')).to.equal(null);
    expect(requests.answered(1, 'anything')).to.contain('not pending');
  });

  it('fails immediately when the worker is gone', async () => {
    const open = [ask(), ask()];
    requests.abandon();
    for (const outcome of await Promise.all(open))
      expect(outcome).to.have.nested.property('error.code', 'WORKER_GONE');
  });

  it('fails when it cannot be sent', async () => {
    const outcome = await requests.ask('echo', result, 1000, () => {
      throw new RangeError('too long');
    });
    expect(outcome).to.have.nested.property('error.code', 'INVALID_MESSAGE');
    expect(requests.answered(1, { text: '' })).to.contain('not pending');
  });

  it('is refused when too many are open, until some are answered or overdue', async () => {
    for (let count = 0; count < maxPending; count += 1) void ask(count < 128 ? 500 : 1000);
    expect(await ask()).to.have.nested.property('error.code', 'NOT_PERMITTED');
    requests.expire(500);
    void ask();
    expect(sent).to.have.length(maxPending + 1);
  });

  it('may stay unanswered any number of times without an effect on the next', async () => {
    for (let count = 1; count <= 2000; count += 1) {
      void ask(count);
      requests.expire(count);
    }
    const next = ask(9999);
    expect(requests.answered(3, 'very late')).to.equal(null);
    expect(requests.answered(2001, { text: 'in time' })).to.equal(null);
    expect(await next).to.deep.equal({ ok: true, value: { text: 'in time' } });
  });
});

import { expect } from 'chai';
import type { Outlet, Progress } from '../../../workers/log/outlets/outlet.js';
import { Sink } from '../../../workers/log/sink.js';
import { record } from './record.js';

/** An outlet that the test controls. */
class ScriptedOutlet implements Outlet {
  readonly name = 'the outlet';
  readonly offered: string[][] = [];
  reopened = 0;
  closed = false;
  #settle: ((progress: Progress) => void) | undefined;
  #offeredNow: (() => void) | undefined;

  send(lines: readonly string[]): Promise<Progress> {
    this.offered.push([...lines]);
    this.#offeredNow?.();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Resolves at the next `send`, or immediately during one. */
  async open(): Promise<void> {
    if (this.#settle === undefined)
      await new Promise<void>((resolve) => {
        this.#offeredNow = resolve;
      });
  }

  async answer(progress: Progress): Promise<void> {
    await this.open();
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(progress);
  }

  reopen(): void {
    this.reopened += 1;
  }

  close(): void {
    this.closed = true;
  }
}

function sinkOver(outlet: Outlet, bounds = { lines: 3, characters: 10_000 }) {
  const told: string[] = [];
  const sink = new Sink({
    outlet,
    form: ({ message }) => message,
    report: (level, message) => void told.push(`${level} ${message}`),
    lostRecord: (message) => record({ message }),
    bounds,
    retry: { firstMs: 1, maxMs: 4 },
  });
  const say = (...messages: string[]): void => {
    for (const message of messages) sink.write(record({ message }));
  };
  return { sink, told, say };
}

describe('a log sink', () => {
  it('retries what the outlet did not accept, in order', async () => {
    const outlet = new ScriptedOutlet();
    const { sink, say } = sinkOver(outlet);
    say('one', 'two');
    await outlet.answer({ taken: 0, failure: 'ENOSPC' });
    await outlet.answer({ taken: 1, failure: null });
    await outlet.answer({ taken: 1, failure: null });
    await sink.flush(1000);
    expect(outlet.offered).to.deep.equal([['one'], ['one'], ['two']]);
  });

  it('reports once that its outlet fails, and once that it works again', async () => {
    const outlet = new ScriptedOutlet();
    const { sink, told, say } = sinkOver(outlet);
    say('one');
    for (let n = 0; n < 5; n += 1) await outlet.answer({ taken: 0, failure: 'ENOSPC: no space' });
    await outlet.answer({ taken: 1, failure: null });
    await sink.flush(1000);
    expect(told).to.have.length(2);
    expect(told[0]).to.contain('warning the outlet cannot be written (ENOSPC: no space)');
    expect(told[1]).to.equal('info the outlet can be written again.');
  });

  it('counts dropped lines, reports the number once, and writes it when the outlet accepts again', async () => {
    const outlet = new ScriptedOutlet();
    const { sink, told, say } = sinkOver(outlet);
    say('one');
    await outlet.open();
    say('2', '3', '4', '5', '6');
    expect(sink.totalLost).to.equal(2);
    expect(told).to.have.length(1);
    await outlet.answer({ taken: 1, failure: null });
    await outlet.answer({ taken: 4, failure: null });
    await sink.flush(1000);
    expect(outlet.offered[1]).to.deep.equal([
      '2 log lines lost: the outlet could not be written and the queue was full',
      '4',
      '5',
      '6',
    ]);
  });

  it('reopens its outlet immediately on request, even between two retries', async () => {
    const outlet = new ScriptedOutlet();
    const { sink, say } = sinkOver(outlet);
    say('one');
    await outlet.answer({ taken: 0, failure: 'EIO' });
    sink.reopen();
    await outlet.answer({ taken: 1, failure: null });
    expect(outlet.reopened).to.equal(1);
  });

  it('gives up at its deadline when the outlet accepts nothing', async () => {
    const outlet = new ScriptedOutlet();
    const { sink, say } = sinkOver(outlet);
    say('one');
    await sink.close(5);
    expect(outlet.closed).to.equal(true);
  });
});

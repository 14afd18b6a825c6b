import { mock } from 'node:test';
import { expect } from 'chai';
import { SerialQueue } from '../../../../../workers/api/auth/auth-store/serial-queue.js';

describe('a queue of reads of one file', () => {
  const turns = (mostMs: number): SerialQueue => new SerialQueue(mostMs, () => new Error('overdue'));
  const told = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => String(error));

  it('runs them one after another, even after a failure', async () => {
    const said: string[] = [];
    const line = turns(10_000);
    const question = (name: string, fails: boolean) => async (): Promise<string> => {
      said.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      said.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
    const answers = await Promise.all(
      [line.take(question('a', false)), line.take(question('b', true)), line.take(question('c', false))].map(
        told,
      ),
    );
    expect(answers).to.deep.equal(['a', 'Error: b', 'c']);
    expect(said).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('fails all that wait when one hangs, and starts none until it ends', async () => {
    const line = turns(20);
    let end: () => void = () => undefined;
    let begun = 0;
    const endless = line.take(() => new Promise<void>((resolve) => (end = resolve)));
    const behind = Array.from({ length: 3 }, () => line.take(() => Promise.resolve((begun += 1))));
    expect(await Promise.all([endless, ...behind].map(told))).to.deep.equal(
      Array.from({ length: 4 }, () => 'Error: overdue'),
    );
    expect(await told(line.take(() => Promise.resolve((begun += 1))))).to.equal('Error: overdue');
    expect(begun).to.equal(0);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await line.take(() => Promise.resolve('again'))).to.equal('again');
  });

  it('fails all that wait when one fails after a long time, as in a locked file', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const line = turns(500);
      let fail: () => void = () => undefined;
      const locked = line.take(() => new Promise((_, reject) => (fail = () => reject(new Error('locked')))));
      let begun = 0;
      const behind = Array.from({ length: 3 }, () => line.take(() => Promise.resolve((begun += 1))));
      mock.timers.tick(400);
      fail();
      expect(await Promise.all([locked, ...behind].map(told))).to.deep.equal([
        'Error: locked',
        ...Array.from({ length: 3 }, () => 'Error: overdue'),
      ]);
      expect(begun).to.equal(0);
      expect(await line.take(() => Promise.resolve('again'))).to.equal('again');
    } finally {
      mock.timers.reset();
    }
  });

  it('gives each its own time limit: a long queue fails nothing', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const line = turns(500);
      const ends: (() => void)[] = [];
      const slow = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
      const asked = Array.from({ length: 20 }, () => line.take(slow));
      for (const answer of asked) {
        mock.timers.tick(499);
        ends.shift()?.();
        await answer;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      mock.timers.reset();
    }
  });
});

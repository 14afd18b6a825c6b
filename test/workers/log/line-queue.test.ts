import { expect } from 'chai';
import { LineQueue } from '../../../workers/log/line-queue.js';

const lost = (count: number): string => `${String(count)} lost`;

/** Takes everything, batch by batch. */
function emptied(queue: LineQueue): string[] {
  const lines: string[] = [];
  while (!queue.empty) {
    const batch = [...queue.next()];
    lines.push(...batch);
    queue.taken(batch.length);
  }
  return lines;
}

describe('the line queue', () => {
  it('returns lines in order', () => {
    const queue = new LineQueue({ lines: 10, characters: 1000 }, 5, lost);
    for (const line of ['one', 'two', 'three', 'four']) queue.push(line);
    expect(emptied(queue)).to.deep.equal(['one', 'two', 'three', 'four']);
  });

  it('drops the oldest lines above its limit, and reports the number in their place', () => {
    const queue = new LineQueue({ lines: 3, characters: 1000 }, 100, lost);
    for (let n = 1; n <= 10; n += 1) queue.push(String(n));
    expect(emptied(queue)).to.deep.equal(['7 lost', '8', '9', '10']);
  });

  it('has a limit in bytes too', () => {
    const queue = new LineQueue({ lines: 100, characters: 10 }, 100, lost);
    for (const line of ['aaaa', 'bbbb', 'cccc']) queue.push(line);
    expect(emptied(queue)).to.deep.equal(['1 lost', 'bbbb', 'cccc']);
  });

  it('does not drop lines that are being written', () => {
    const queue = new LineQueue({ lines: 2, characters: 1000 }, 3, lost);
    queue.push('one');
    queue.push('two');
    expect(queue.next()).to.deep.equal(['one']);
    for (const line of ['three', 'four', 'five']) queue.push(line);
    expect(queue.next()).to.deep.equal(['one']);
    expect(emptied(queue)).to.deep.equal(['one', '2 lost', 'four', 'five']);
  });

  it('offers the rest of a partly written batch again', () => {
    const queue = new LineQueue({ lines: 10, characters: 1000 }, 100, lost);
    for (const line of ['one', 'two', 'three']) queue.push(line);
    queue.next();
    queue.taken(2);
    expect(queue.next()).to.deep.equal(['three']);
  });

  it('stays within its limits for any series of operations', () => {
    const queue = new LineQueue({ lines: 8, characters: 1000 }, 20, lost);
    for (let n = 0; n < 1000; n += 1) {
      queue.push(String(n));
      if (n % 5 === 0) queue.taken(queue.next().length);
    }
    const rest = emptied(queue);
    expect(rest.at(-1)).to.equal('999');
    expect(rest.length).to.be.at.most(10);
  });
});

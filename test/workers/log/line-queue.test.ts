import { expect } from 'chai';
import { LineQueue } from '../../../workers/log/line-queue.js';

const lost = (count: number): string => `${String(count)} lost`;

/** Takes everything out, batch by batch. */
function emptied(queue: LineQueue): string[] {
  const lines: string[] = [];
  while (!queue.empty) {
    const batch = [...queue.next()];
    lines.push(...batch);
    queue.taken(batch.length);
  }
  return lines;
}

describe('a line queue', () => {
  it('gives lines back in order', () => {
    const queue = new LineQueue({ lines: 10, characters: 1000 }, 5, lost);
    for (const line of ['one', 'two', 'three', 'four']) queue.push(line);
    expect(emptied(queue)).to.deep.equal(['one', 'two', 'three', 'four']);
  });

  it('drops the oldest when there are too many, and says in their place how many', () => {
    const queue = new LineQueue({ lines: 3, characters: 1000 }, 100, lost);
    for (let n = 1; n <= 10; n += 1) queue.push(String(n));
    expect(emptied(queue)).to.deep.equal(['7 lost', '8', '9', '10']);
  });

  it('drops by size too', () => {
    const queue = new LineQueue({ lines: 100, characters: 10 }, 100, lost);
    for (const line of ['aaaa', 'bbbb', 'cccc']) queue.push(line);
    expect(emptied(queue)).to.deep.equal(['1 lost', 'bbbb', 'cccc']);
  });

  it('does not touch what is being written', () => {
    const queue = new LineQueue({ lines: 2, characters: 1000 }, 3, lost);
    queue.push('one');
    queue.push('two');
    expect(queue.next()).to.deep.equal(['one']);
    for (const line of ['three', 'four', 'five']) queue.push(line);
    expect(queue.next()).to.deep.equal(['one']);
    expect(emptied(queue)).to.deep.equal(['one', '2 lost', 'four', 'five']);
  });

  it('offers the rest of a batch that was taken in part', () => {
    const queue = new LineQueue({ lines: 10, characters: 1000 }, 100, lost);
    for (const line of ['one', 'two', 'three']) queue.push(line);
    queue.next();
    queue.taken(2);
    expect(queue.next()).to.deep.equal(['three']);
  });

  it('stays within its bounds through a long life', () => {
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

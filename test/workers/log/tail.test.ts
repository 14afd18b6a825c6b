import { expect } from 'chai';
import { Tail } from '../../../workers/log/tail.js';

describe('the last lines of the log', () => {
  it('are the last two thousand, oldest first', () => {
    const tail = new Tail();
    expect(tail.lines).to.deep.equal([]);
    for (let number = 1; number <= 7_001; number += 1) tail.push(String(number));
    expect(tail.lines).to.have.length(2_000);
    expect([tail.lines[0], tail.lines.at(-1)]).to.deep.equal(['5002', '7001']);
  });

  it('are fewer when they are long, so that they fit into one frame', () => {
    const tail = new Tail();
    for (let number = 0; number < 1_000; number += 1) tail.push(`${String(number)} ${'x'.repeat(4_096)}`);
    const characters = tail.lines.join('').length;
    expect(characters).to.be.within(1_000_000, 1_048_576);
    expect(tail.lines.at(-1)).to.match(/^999 /);
  });
});

import { expect } from 'chai';
import { residentMb } from '../../../supervisor/host/resident-memory.js';

describe('The memory of a process', () => {
  it('is what the kernel says of it', () => {
    const own = process.memoryUsage.rss() / (1024 * 1024);
    expect(residentMb(process.pid)).to.be.within(own * 0.8, own * 1.2);
  });

  it('is unknown once the process is gone', () => {
    // Above every pid_max the kernel allows.
    expect(residentMb(2 ** 22 + 1)).to.equal(null);
  });
});

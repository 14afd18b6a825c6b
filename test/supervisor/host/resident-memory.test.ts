import { expect } from 'chai';
import { residentMb } from '../../../supervisor/host/resident-memory.js';

describe('the resident memory of a process', () => {
  it('is the value of the kernel', () => {
    const own = process.memoryUsage.rss() / (1024 * 1024);
    expect(residentMb(process.pid)).to.be.within(own * 0.8, own * 1.2);
  });

  it('is null after the end of the process', () => {
    // Larger than any pid_max of the kernel.
    expect(residentMb(2 ** 22 + 1)).to.equal(null);
  });
});

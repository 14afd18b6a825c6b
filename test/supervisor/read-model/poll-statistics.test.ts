import { expect } from 'chai';
import { PollStatistics } from '../../../supervisor/read-model/poll-statistics.js';
import { reading } from '../policy/stream.js';

describe('the poll statistics of a UPS', () => {
  const afterPolls = (...words: readonly string[]) => {
    const telemetry = new PollStatistics();
    for (const [index, status] of words.entries())
      telemetry.polled('a', { outcome: reading(status), startedAt: 0, endedAt: 40 }, 1_790_000_000 + index);
    return telemetry.of('a');
  };

  it('have the time of the last good reading', () => {
    expect(afterPolls()).to.include({ lastUpdateTime: null, pollsOk: 0 });
    expect(afterPolls('OL', 'OB')).to.include({ lastUpdateTime: 1_790_000_001, pollsOk: 2 });
  });

  it('do not count WAIT as a reading', () => {
    expect(afterPolls('WAIT')).to.include({ lastUpdateTime: null, pollsOk: 1 });
    expect(afterPolls('OL', 'WAIT')).to.include({ lastUpdateTime: 1_790_000_000 });
  });
});

import { expect } from 'chai';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { messageFor } from '../../../supervisor/events/messages.js';
import { recordFailure } from '../../../supervisor/events/worker-failures.js';

describe('the loss of a worker', () => {
  function recorded(...quickFailures: readonly number[]): readonly RecordedEvent[] {
    const events: RecordedEvent[] = [];
    const recorder = { record: (event: RecordedEvent) => void events.push(event) };
    for (const lives of quickFailures) recordFailure(recorder, 'api: ended: it ended with code 1', lives);
    return events;
  }

  it('records an event each time', () => {
    expect(recorded(1, 0, 2)).to.deep.equal(
      Array.from({ length: 3 }, () => ({
        source: 'daemon',
        type: 'WORKER_RESTARTED',
        detail: 'api: ended: it ended with code 1',
      })),
    );
  });

  it('records one failure with a notification when the worker keeps failing', () => {
    const failures = recorded(1, 2, 3, 4, 5, 6, 7, 8).filter(({ type }) => type === 'WORKER_FAILED');
    expect(failures.map(({ source }) => source)).to.deep.equal(['daemon']);
    const [message] = failures.map((event) => messageFor(event, ''));
    expect(message).to.contain('A worker of the daemon keeps failing: api: ended: it ended with code 1;');
  });

  it('records another failure when the worker keeps failing again after a long life', () => {
    const types = recorded(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5).map(({ type }) => type);
    expect(types.filter((type) => type === 'WORKER_FAILED')).to.have.length(2);
  });
});

// One sequence per outage, change by change.
import { expect } from 'chai';
import type { Shutdown } from '../../../../supervisor/policy/trigger/shutdown.js';
import {
  armed,
  nextShutdownState,
  sequenceOver,
  sequenceRecovered,
} from '../../../../supervisor/policy/trigger/shutdown.js';

const request = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
const fired = sequenceRecovered(request, 7);

describe('the sequence of an outage', () => {
  it('starts by a request, once', () => {
    const started = nextShutdownState(armed, request, false, 7);
    expect(started).to.deep.equal({ shutdown: fired, change: 'started' });
    expect(nextShutdownState(started.shutdown, request, false, 8)).to.deep.equal({
      shutdown: fired,
      change: null,
    });
    expect(nextShutdownState(armed, null, true, 7)).to.deep.equal({ shutdown: armed, change: null });
  });

  it('has neither an outage nor a sequence behind it when it is found again', () => {
    expect(fired).to.deep.equal({
      kind: 'fired',
      ...request,
      sinceUnixSeconds: 7,
      outageOver: false,
      sequenceOver: false,
    });
  });

  it('is armed again once outage and sequence are over, in either order', () => {
    const back = (shutdown: Shutdown) => nextShutdownState(shutdown, null, true, 9);
    const outageFirst = back(fired);
    expect(outageFirst).to.deep.equal({ shutdown: { ...fired, outageOver: true }, change: 'powerReturned' });
    expect(back(outageFirst.shutdown).change, 'told once').to.equal(null);
    expect(sequenceOver(outageFirst.shutdown)).to.equal(armed);
    const sequenceFirst = sequenceOver(fired);
    expect(sequenceFirst).to.deep.equal({ ...fired, sequenceOver: true });
    expect(nextShutdownState(sequenceFirst, request, false, 9).shutdown).to.equal(sequenceFirst);
    expect(back(sequenceFirst)).to.deep.equal({ shutdown: armed, change: null });
    expect(sequenceOver(armed)).to.equal(armed);
  });
});

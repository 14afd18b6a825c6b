// One sequence per outage, change by change.
import { expect } from 'chai';
import type { Shutdown } from '../../../../supervisor/policy/trigger/shutdown.js';
import {
  armed,
  firedBy,
  hasPowerReturned,
  nextShutdownState,
  startedBy,
  sequenceOver,
} from '../../../../supervisor/policy/trigger/shutdown.js';

const request = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
const fired = firedBy(request, 7);

describe('the sequence of an outage', () => {
  it('starts by a request, once', () => {
    const started = nextShutdownState(armed, request, false, 7);
    expect(started).to.deep.equal(fired);
    expect(startedBy(armed, started)).to.include(request);
    const again = nextShutdownState(started, request, false, 8);
    expect(again).to.equal(started);
    expect(startedBy(started, again)).to.equal(null);
    expect(nextShutdownState(armed, null, true, 7)).to.equal(armed);
    expect(startedBy(armed, armed)).to.equal(null);
    expect(hasPowerReturned(armed, started)).to.equal(false);
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
    expect(outageFirst).to.deep.equal({ ...fired, outageOver: true });
    expect(hasPowerReturned(fired, outageFirst)).to.equal(true);
    expect(startedBy(fired, outageFirst)).to.equal(null);
    expect(hasPowerReturned(outageFirst, back(outageFirst)), 'reported once').to.equal(false);
    expect(sequenceOver(outageFirst)).to.equal(armed);
    const sequenceFirst = sequenceOver(fired);
    expect(sequenceFirst).to.deep.equal({ ...fired, sequenceOver: true });
    expect(nextShutdownState(sequenceFirst, request, false, 9)).to.equal(sequenceFirst);
    expect(back(sequenceFirst)).to.equal(armed);
    expect(hasPowerReturned(sequenceFirst, armed)).to.equal(false);
    expect(sequenceOver(armed)).to.equal(armed);
  });
});

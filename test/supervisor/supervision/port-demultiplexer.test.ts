import { expect } from 'chai';
import { framesPerWindow } from '../../../shared/runtime/flood-gauge.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import { PortDemultiplexer } from '../../../supervisor/supervision/port-demultiplexer.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('The link of a process with members', () => {
  let carrier: EmitterPort;
  let posted: unknown[];
  let own: unknown[];
  let floods: number;
  let members: PortDemultiplexer;

  beforeEach(() => {
    [posted, own, floods] = [[], [], 0];
    carrier = new EmitterPort({ postMessage: (frame) => void posted.push(frame) });
    members = new PortDemultiplexer(carrier, new FakeTime(), () => (floods += 1));
    members.own.on('message', (frame: unknown) => own.push(frame));
  });

  it('delivers each member its own frames, and the host those without a member', () => {
    const received: Record<number, unknown[]> = { 1: [], 2: [] };
    for (const member of [1, 2])
      members.portOf(member).on('message', (frame) => received[member]?.push(frame));
    carrier.arrive({ member: 1, frame: 'a' });
    carrier.arrive({ kind: 'heartbeat' });
    carrier.arrive({ member: 2, frame: 'b' });
    expect(received).to.deep.equal({ 1: ['a'], 2: ['b'] });
    expect(own).to.deep.equal([{ kind: 'heartbeat' }]);
  });

  it('marks each frame to a member with its number', () => {
    members.portOf(7).postMessage({ kind: 'drain' });
    expect(posted).to.deep.equal([{ member: 7, frame: { kind: 'drain' } }]);
  });

  it('drops the late frames of a member that has ended', () => {
    const received: unknown[] = [];
    const port = members.portOf(1);
    port.on('message', (frame) => received.push(frame));
    port.close();
    carrier.arrive({ member: 1, frame: 'late' });
    expect([received, own]).to.deep.equal([[], []]);
  });

  for (const frame of [
    { member: 2, frame: {} },
    { member: 0, frame: {} },
    { member: '1', frame: {} },
  ]) {
    it(`treats ${JSON.stringify(frame)} as a frame of the host, which may not send it`, () => {
      members.portOf(1).on('message', () => undefined);
      carrier.arrive(frame);
      expect(own).to.deep.equal([frame]);
    });
  }

  it('reports a flood of frames for members that have ended, once', () => {
    members.portOf(1).close();
    for (let count = 0; count < 10 * framesPerWindow; count += 1) carrier.arrive({ member: 1, frame: {} });
    expect(floods).to.equal(1);
  });
});

import { expect } from 'chai';
import { framesPerWindow } from '../../../shared/runtime/flood-gauge.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import { PortDemultiplexer } from '../../../supervisor/supervision/port-demultiplexer.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('The link of a host process', () => {
  let carrier: EmitterPort;
  let posted: unknown[];
  let own: unknown[];
  let floods: number;
  let threads: PortDemultiplexer;

  beforeEach(() => {
    [posted, own, floods] = [[], [], 0];
    carrier = new EmitterPort({ postMessage: (frame) => void posted.push(frame) });
    threads = new PortDemultiplexer(carrier, new FakeTime(), () => (floods += 1));
    threads.own.on('message', (frame: unknown) => own.push(frame));
  });

  it('delivers each thread its own frames, and the host those without a thread', () => {
    const heard: Record<number, unknown[]> = { 1: [], 2: [] };
    for (const thread of [1, 2]) threads.portOf(thread).on('message', (frame) => heard[thread]?.push(frame));
    carrier.arrive({ thread: 1, frame: 'a' });
    carrier.arrive({ kind: 'heartbeat' });
    carrier.arrive({ thread: 2, frame: 'b' });
    expect(heard).to.deep.equal({ 1: ['a'], 2: ['b'] });
    expect(own).to.deep.equal([{ kind: 'heartbeat' }]);
  });

  it('marks each frame to a thread with its number', () => {
    threads.portOf(7).postMessage({ kind: 'drain' });
    expect(posted).to.deep.equal([{ thread: 7, frame: { kind: 'drain' } }]);
  });

  it('drops the late frames of a thread that has ended', () => {
    const heard: unknown[] = [];
    const port = threads.portOf(1);
    port.on('message', (frame) => heard.push(frame));
    port.close();
    carrier.arrive({ thread: 1, frame: 'late' });
    expect([heard, own]).to.deep.equal([[], []]);
  });

  for (const frame of [
    { thread: 2, frame: {} },
    { thread: 0, frame: {} },
    { thread: '1', frame: {} },
  ]) {
    it(`treats ${JSON.stringify(frame)} as a frame of the host, which may not send it`, () => {
      threads.portOf(1).on('message', () => undefined);
      carrier.arrive(frame);
      expect(own).to.deep.equal([frame]);
    });
  }

  it('reports a flood of frames for threads that have ended, once', () => {
    threads.portOf(1).close();
    for (let count = 0; count < 10 * framesPerWindow; count += 1) carrier.arrive({ thread: 1, frame: {} });
    expect(floods).to.equal(1);
  });
});

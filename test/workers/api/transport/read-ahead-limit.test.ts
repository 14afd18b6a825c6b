import { expect } from 'chai';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReadAheadLimit } from '../../../../workers/api/transport/read-ahead-limit.js';

/** The part of a socket that the limit uses. */
class Connection {
  destroyed = false;
  paused = false;
  isPaused(): boolean {
    return this.paused;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
}

describe('a connection that pipelines requests', () => {
  let connections: Connection[];
  let crowd: ReadAheadLimit;
  beforeEach(() => {
    connections = Array.from({ length: 3 }, () => new Connection());
    crowd = new ReadAheadLimit(() => connections as unknown as Socket[]);
  });
  const paused = (): readonly boolean[] => connections.map((one) => one.paused);
  const send = (requests: number): void => {
    for (let sent = 0; sent < requests; sent += 1) crowd.ahead();
  };

  it('is not read again before the next turn after 256 requests', async () => {
    send(255);
    expect(paused()).to.deep.equal([false, false, false]);
    send(1);
    expect(paused()).to.deep.equal([true, true, true]);
    await nextTurn();
    expect(paused()).to.deep.equal([false, false, false]);
  });

  it('starts a new count in each turn', async () => {
    send(200);
    await nextTurn();
    send(200);
    expect(paused()).to.deep.equal([false, false, false]);
    send(1000);
    expect(paused()).to.deep.equal([true, true, true]);
  });

  it('is ignored when it is paused for another reason or closed', async () => {
    const [own, gone] = connections;
    if (own !== undefined) own.paused = true;
    send(256);
    if (gone !== undefined) gone.destroyed = true;
    await nextTurn();
    expect(paused()).to.deep.equal([true, true, false]);
  });
});

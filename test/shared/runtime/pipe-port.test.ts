import { Duplex, PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CloseReason } from '../../../shared/runtime/port.js';
import { maxFrameBytes, pipePort } from '../../../shared/runtime/pipe-port.js';

/** The bytes of this frame on the wire. */
function bytesOf(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length, 0);
  return Buffer.concat([header, body]);
}

class Listening {
  readonly stream = new PassThrough();
  readonly port = pipePort(this.stream);
  readonly received: unknown[] = [];
  readonly closings: CloseReason[] = [];

  constructor() {
    this.port.on('close', ({ reason }) => this.closings.push(reason));
    this.port.on('message', (frame) => this.received.push(frame));
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('The link of a process', () => {
  it('decodes frames however they are split', async () => {
    const frames = [{ kind: 'a' }, { text: 'grüß dich 🔋' }, [1, 2, 3], 'x'.repeat(5000)];
    const bytes = Buffer.concat(frames.map((frame) => bytesOf(JSON.stringify(frame))));
    for (const size of [1, 2, 3, 5, 7, 100, bytes.length]) {
      const side = new Listening();
      for (let offset = 0; offset < bytes.length; offset += size)
        side.stream.write(bytes.subarray(offset, offset + size));
      await side.settle();
      expect(side.received, `cut every ${String(size)} bytes`).to.deep.equal(frames);
    }
  });

  it('closes on a frame beyond the maximum length, before it has arrived', async () => {
    const side = new Listening();
    const header = Buffer.alloc(4);
    header.writeUInt32BE(maxFrameBytes + 1, 0);
    side.stream.write(header);
    await side.settle();
    expect(side.closings).to.deep.equal(['malformed']);
    expect(side.stream.destroyed).to.equal(true);
  });

  for (const [what, bytes] of [
    ['no JSON', bytesOf('{"kind":')],
    ['nothing', bytesOf('')],
    ['text of another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ] as const) {
    it(`closes on ${what}, and delivers earlier frames but no later ones`, async () => {
      const side = new Listening();
      side.stream.write(Buffer.concat([bytesOf('1'), bytes, bytesOf('2')]));
      await side.settle();
      expect(side.received).to.deep.equal([1]);
      expect(side.closings).to.deep.equal(['malformed']);
    });
  }

  it('reports its end once, after the last frame', async () => {
    const order: string[] = [];
    const stream = new PassThrough();
    const port = pipePort(stream);
    port.on('close', ({ reason }) => order.push(reason));
    port.on('message', (frame) => order.push(String(frame)));
    for (let frame = 0; frame < 500; frame += 1) stream.write(bytesOf(String(frame)));
    stream.end();
    while (!order.includes('ended')) await new Promise((resolve) => setImmediate(resolve));
    expect(order).to.have.length(501);
    expect(order.at(-1)).to.equal('ended');
  });

  it('does not block timers and other links while one side sends without end', async () => {
    const side = new Listening();
    side.stream.write(Buffer.concat(Array.from({ length: 2000 }, () => bytesOf('1'))));
    await new Promise((resolve) => setImmediate(resolve));
    expect(side.received.length).to.be.within(1, 1000);
    while (side.received.length < 2000) await new Promise((resolve) => setImmediate(resolve));
  });

  it('closes when the other side does not read, before it fills its own memory', () => {
    const stream = new Duplex({ read: () => undefined, write: () => undefined });
    const port = pipePort(stream);
    const closings: CloseReason[] = [];
    port.on('close', ({ reason }) => closings.push(reason));
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 15; count += 1) port.postMessage(megabyte);
    expect(closings).to.deep.equal([]);
    for (let count = 0; count < 5; count += 1) port.postMessage(megabyte);
    expect(closings).to.deep.equal(['overflow']);
  });

  it('refuses to send a message beyond the maximum length', () => {
    const { port } = new Listening();
    expect(() => port.postMessage('x'.repeat(maxFrameBytes))).to.throw(RangeError);
  });
});

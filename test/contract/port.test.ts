// One suite over every kind of port: the same cases, the same outcome.
import { expect } from 'chai';
import type { CloseReason, Port } from '../../shared/runtime/port.js';
import { pairs } from './ports.js';

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const notJson: readonly (readonly [what: string, message: unknown, place: string])[] = [
  ['undefined', undefined, 'message is undefined'],
  ['undefined in a field', { body: { ups: undefined } }, 'message.body.ups is undefined'],
  ['NaN', { charge: NaN }, 'message.charge is NaN'],
  ['Infinity', [1, -Infinity], 'message[1] is -Infinity'],
  ['a hole in a list', new Array<unknown>(1), 'message[0] is undefined'],
  ['a function', { run: () => undefined }, 'message.run is a function'],
  ['a method toJSON', { toJSON: () => 1 }, 'message.toJSON is a function'],
  ['a symbol', [Symbol('x')], 'message[0] is a symbol'],
  ['a bigint', { number: 1n }, 'message.number is a bigint'],
  ['a Date', { at: new Date(0) }, 'message.at is a Date'],
  ['a Map', new Map(), 'message is a Map'],
  ['a Set', new Set(), 'message is a Set'],
  ['an Error', { error: new RangeError('x') }, 'message.error is a RangeError'],
  ['bytes', { key: Buffer.from('x') }, 'message.key is a Buffer'],
  ['a boxed number', [new Number(1)], 'message[0] is a Number'],
  ['an object of a class', { port: new (class Battery {})() }, 'message.port is a Battery'],
  ['a cycle', cycle, 'is a cycle'],
];

/** What was sent has arrived: in this process that takes no more than a few turns of the loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

class PortRecorder {
  readonly messages: unknown[] = [];
  readonly reasons: CloseReason[] = [];

  constructor(readonly port: Port) {
    port.on('close', ({ reason }) => this.reasons.push(reason));
  }

  listen(): this {
    this.port.on('message', (message) => this.messages.push(message));
    return this;
  }

  /** Ends with mocha's own timeout when the condition never holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }
}

for (const { kind, pair } of pairs) {
  describe(`A port ${kind}`, () => {
    let near: PortRecorder;
    let far: PortRecorder;
    beforeEach(async () => {
      const [one, other] = await pair();
      [near, far] = [new PortRecorder(one), new PortRecorder(other)];
    });
    afterEach(() => {
      near.port.close();
      far.port.close();
    });

    it('carries JSON data unchanged, both ways', async () => {
      near.listen();
      far.listen();
      const message = {
        text: 'grüß dich 🔋\n"\0',
        list: [1, -0.5, 1e300, true, null, []],
        'a b': { '': {} },
      };
      near.port.postMessage(message);
      far.port.postMessage(message);
      await near.until(() => near.messages.length + far.messages.length === 2);
      expect([near.messages, far.messages]).to.deep.equal([[message], [message]]);
    });

    it('carries the content that a message had when it was sent', async () => {
      far.listen();
      const message = { number: 1 };
      near.port.postMessage(message);
      message.number = 2;
      await far.until(() => far.messages.length === 1);
      expect(far.messages).to.deep.equal([{ number: 1 }]);
    });

    it('delivers messages in order, and the close after the last message', async () => {
      const order: unknown[] = [];
      far.port.on('message', (message) => order.push(message));
      far.port.on('close', ({ reason }) => order.push(reason));
      const numbers = Array.from({ length: 3000 }, (_, index) => index);
      for (const number of numbers) near.port.postMessage(number);
      await far.until(() => order.length === numbers.length);
      near.port.close();
      await far.until(() => far.reasons.length > 0);
      expect(order).to.deep.equal([...numbers, 'ended']);
    });

    it('keeps messages until there is a listener', async () => {
      near.port.postMessage('early');
      await settle();
      far.listen();
      near.port.postMessage('late');
      await far.until(() => far.messages.length === 2);
      expect(far.messages).to.deep.equal(['early', 'late']);
    });

    it('drops messages when it is started without a listener', async () => {
      far.port.start();
      near.port.postMessage('nobody listens');
      await settle();
      far.listen();
      near.port.postMessage('heard');
      await far.until(() => far.messages.length > 0);
      expect(far.messages).to.deep.equal(['heard']);
    });

    it('emits `close` once on either side, with its reason', async () => {
      near.listen();
      far.listen();
      near.port.close();
      near.port.close();
      await far.until(() => far.reasons.length > 0);
      far.port.close();
      await settle();
      expect([near.reasons, far.reasons]).to.deep.equal([['ended'], ['ended']]);
    });

    it('emits nothing after it was closed here, even when messages have arrived before', async () => {
      const messages: unknown[] = [];
      far.port.on('message', (message) => {
        messages.push(message);
        far.port.close();
      });
      for (const number of [1, 2, 3]) near.port.postMessage(number);
      await far.until(() => far.reasons.length > 0);
      await settle();
      expect(messages).to.deep.equal([1]);
    });

    it('drops messages after it was closed, without an error', async () => {
      far.listen();
      near.port.close();
      near.port.postMessage('lost');
      await far.until(() => far.reasons.length > 0);
      far.port.postMessage('lost too');
      expect([near.messages, far.messages]).to.deep.equal([[], []]);
    });

    for (const [what, message, place] of notJson) {
      it(`throws at the sender for ${what}, and sends nothing`, async () => {
        far.listen();
        expect(() => near.port.postMessage(message)).to.throw(TypeError, place);
        near.port.postMessage('next');
        await far.until(() => far.messages.length > 0);
        expect(far.messages).to.deep.equal(['next']);
      });
    }
  });
}

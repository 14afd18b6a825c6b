import { expect } from 'chai';
import fc from 'fast-check';
import { apiContract } from '../../shared/protocol/api.js';
import { pollerContract } from '../../shared/protocol/poller.js';
import { remoteContract } from '../../shared/protocol/remote.js';
import { storageContract } from '../../shared/protocol/storage.js';
import type { Contract } from '../../shared/protocol/contract.js';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import { SupervisorLink } from '../../supervisor/supervision/link.js';
import type { Phase } from '../../supervisor/supervision/permits.js';
import { FakeTime } from '../fixtures/fake-time.js';
import { tried } from './runs.js';

const contracts: readonly Contract[] = [apiContract, pollerContract, remoteContract, storageContract];
const phases = ['handshake', 'configuring', 'ready', 'draining'] as const satisfies readonly Phase[];
const evilNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'sequence.start',
  'shutdown.now',
];
const names = [
  ...evilNames,
  ...contracts.flatMap(({ events, requests, asks }) =>
    [events, requests, asks].flatMap((calls) => Object.keys(calls)),
  ),
];

const anyJson = fc.jsonValue({ maxDepth: 4 });
const anyId = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.constantFrom(2 ** 53, 1e308, 0.5), anyJson);
const anyName = fc.oneof(fc.constantFrom(...names), anyJson);
const anyBody = fc.oneof(
  anyJson,
  fc.record(
    { group: anyJson, principal: anyJson, command: anyJson, value: anyJson, items: anyJson },
    { requiredKeys: [] },
  ),
  fc.record({ outcome: anyJson, startedAt: anyJson, endedAt: anyJson }, { requiredKeys: [] }),
);
const kinds = ['hello', 'ready', 'heartbeat', 'event', 'ask', 'answer', 'failure', 'log', 'drained'] as const;
const anyFrame = fc.oneof(
  { weight: 1, arbitrary: anyJson },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.oneof(fc.constantFrom(...kinds), anyJson),
        id: anyId,
        name: anyName,
        body: anyBody,
        params: anyBody,
        result: anyBody,
        error: anyJson,
        record: anyJson,
        dropped: anyId,
        protocol: anyId,
        build: anyJson,
        pid: anyId,
        deadlineMs: anyId,
      },
      { requiredKeys: ['kind'] },
    ),
  },
);

describe('a frame from a worker to the supervisor', () => {
  it('is handled or ends the worker, throws nothing, and reaches no handler that it may not call', async () => {
    const said = fc.array(fc.tuple(fc.constantFrom(...phases), anyFrame), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...contracts), said, async (contract, frames) => {
        const called: string[] = [];
        const handlers = (calls: object, kind: string) =>
          Object.fromEntries(
            Object.keys(calls).map((name) => [name, () => void called.push(`${kind} ${name}`)]),
          );
        const served = Object.fromEntries(
          Object.keys(contract.asks).map((name) => [
            name,
            () => {
              called.push(`ask ${name}`);
              return Promise.resolve({ ok: false as const, error: { code: 'NO', message: 'no' } });
            },
          ]),
        );
        let sent = 0;
        const port = new EmitterPort({ postMessage: () => void (sent += 1) });
        let phase: Phase = 'handshake';
        let broken: string | undefined;
        const link = new SupervisorLink(
          { name: 'x', contract, onEvent: handlers(contract.events, 'event'), asks: served },
          port,
          new FakeTime(),
          {
            phase: () => phase,
            frameReceived: () => undefined,
            greeted: () => undefined,
            ready: () => undefined,
            drained: () => undefined,
            log: () => undefined,
            broken: (reason, message) => {
              expect(broken).to.equal(undefined);
              broken = reason;
              expect(message.length).to.be.at.most(1_000);
            },
            closed: () => undefined,
            bug: (message) => expect.fail(message),
          },
        );
        for (const [when, frame] of frames) {
          phase = when;
          const before = called.length;
          port.arrive(frame);
          if (broken !== undefined) expect(called.length).to.equal(before);
          if (phase === 'handshake') expect(called.length).to.equal(before);
        }
        await new Promise((resolve) => setImmediate(resolve));
        expect(called.every((one) => names.includes(one.split(' ')[1] ?? ''))).to.equal(true);
        // One answer or acknowledgement each, and nothing else.
        expect(sent).to.be.at.most(called.length);
        link.close();
      }),
      tried(600),
    );
  });
});

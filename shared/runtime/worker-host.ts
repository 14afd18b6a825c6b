// Runs several workers of one kind in this process, in one event loop: each has its own link, contract and settings; all
// end with the process.
import { openSync, writeSync } from 'node:fs';
import { errorTrace } from '../domain/base/error-message.js';
import type { Outcome } from '../protocol/contract.js';
import type { RelayedFrame } from '../protocol/worker-host.js';
import { activeMember, workerHostContract, relayedFrame } from '../protocol/worker-host.js';
import { EmitterPort } from './emitter-port.js';
import type { Home } from './worker-runtime.js';
import { ownHome } from './worker-runtime.js';
import type { WorkerContext } from './worker-main.js';
import { runWorker } from './worker-main.js';

const done: Outcome<object> = { ok: true, value: {} };

/** The last statement in the entry file of a worker that shares a process with others. `run` starts one of them. */
export function runHost(run: (home: Home) => void): void {
  const { port, end } = ownHome();
  const members = new Map<number, EmitterPort>();
  const marker = new Marker();
  const own: EmitterPort = new EmitterPort({
    postMessage: (frame) => port.postMessage(frame),
    start: () =>
      void port.on('message', (raw) => {
        const relayed = relayedFrame(raw);
        if (relayed === undefined) own.arrive(raw);
        else {
          marker.mark(relayed.member);
          members.get(relayed.member)?.arrive(relayed.frame);
        }
      }),
    close: () => port.close(),
  });
  port.on('close', ({ reason }) => own.end(reason));

  const startMember = (member: number, context: WorkerContext<typeof workerHostContract>): void => {
    marker.mark(member);
    const link: EmitterPort = new EmitterPort({
      postMessage: (frame) => port.postMessage({ member, frame } satisfies RelayedFrame),
      close: () => {
        if (members.delete(member)) context.emit('member.left', { member });
      },
    });
    members.set(member, link);
    run({ port: link, end: () => link.close(), activate: () => marker.mark(member) });
  };

  runWorker(
    workerHostContract,
    (_settings, context) => {
      process.on('uncaughtException', (error) => {
        const trace = errorTrace(error);
        process.stderr.write(`${trace}\n`);
        const { active } = marker;
        if (active !== null) context.emit('member.failed', { member: active, message: trace.slice(0, 1000) });
        // After the frame is written.
        setImmediate(end);
      });
      return Promise.resolve({
        requests: {
          'member.start': ({ member }) => {
            startMember(member, context);
            return Promise.resolve(done);
          },
          'member.end': ({ member }) => {
            const link = members.get(member);
            members.delete(member);
            link?.close();
            return Promise.resolve(done);
          },
        },
        reconfigure: () => undefined,
        drain: () => Promise.resolve(),
      });
    },
    { port: own, end },
  );
}

/** The member that ran last, in the name of the main thread (`activeMember`). */
class Marker {
  active: number | null = null;
  readonly #file = threadName();

  mark(member: number): void {
    if (member === this.active) return;
    this.active = member;
    if (this.#file !== null) writeSync(this.#file, activeMember.name(member));
  }
}

/** Null where the kernel does not offer it: a hang then has no known cause. */
function threadName(): number | null {
  try {
    return openSync('/proc/self/comm', 'w');
  } catch {
    return null;
  }
}

// The worker that hosts threads: starts and ends them on request and relays their frames, unread.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { ThreadEntry } from '../../shared/protocol/host.js';
import { hostContract } from '../../shared/protocol/host.js';
import { ownHome } from '../../shared/runtime/worker-runtime.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { partPort } from './multiplexed-port.js';
import type { MemberListener, ThreadEnd } from './hosted-thread.js';
import { HostedThread } from './hosted-thread.js';

/** Runs this process as a host; call once. `entryOf` finds the program of a thread. */
export function runHost(entryOf: (entry: ThreadEntry) => URL): void {
  const home = ownHome();
  const threads = new Map<number, HostedThread>();
  const lanes = new Map<string, HostedThread>();
  const { own, relay } = partPort(home.port, (thread, frame) => threads.get(thread)?.post(thread, frame));

  runWorker(
    hostContract,
    (_settings, context) => {
      const ended = (thread: number, { reason, message }: ThreadEnd): void => {
        threads.delete(thread);
        context.emit('thread.ended', { thread, reason, message: message.slice(0, 1000) });
      };
      return Promise.resolve({
        requests: {
          'thread.start': ({ thread, entry, heapLimitMb, lane }) => {
            const listener: MemberListener = {
              frame: (frame) => relay(thread, frame),
              ended: (end) => ended(thread, end),
            };
            const present = lane === null ? undefined : lanes.get(lane);
            if (present !== undefined && !present.over) {
              present.add(thread, listener);
              threads.set(thread, present);
            } else {
              const options = { entry: entryOf(entry), heapLimitMb, shared: lane !== null };
              const hosted = new HostedThread(options, thread, listener);
              threads.set(thread, hosted);
              if (lane !== null) lanes.set(lane, hosted);
            }
            return Promise.resolve(done);
          },
          'thread.end': async ({ thread, left }) => {
            const hosted = threads.get(thread);
            if (left) await hosted?.leave(thread);
            else await hosted?.end(thread, 'ordered', 'ended on request');
            return done;
          },
        },
        reconfigure: () => undefined,
        drain: () => Promise.resolve(),
      });
    },
    { port: own, end: home.end },
  );
}

const done: Outcome<object> = { ok: true, value: {} };

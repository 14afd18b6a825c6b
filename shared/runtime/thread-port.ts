// A link to a worker thread: one end of a MessageChannel made for it alone. Not the thread's parentPort, whose host
// end cannot be closed: it would still deliver what a flooding thread has queued there.
// A real MessagePort has the shape of a Port. This adapter remains for three reasons: the real one sends more than
// JSON, it delivers messages that were queued when this side closed it, and its `close` event has no reason.
import type { MessagePort } from 'node:worker_threads';
import { EmitterPort } from './emitter-port.js';
import { assertJson } from './assert-json.js';
import type { Port } from './port.js';

export function threadPort(channel: MessagePort): Port {
  const port = new EmitterPort({
    postMessage: (message) => {
      assertJson(message);
      channel.postMessage(message);
    },
    start: () => void channel.on('message', (message: unknown) => port.arrive(message)),
    close: () => channel.close(),
  });
  channel.once('close', () => port.end('ended'));
  return port;
}

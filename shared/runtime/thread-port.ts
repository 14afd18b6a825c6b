// A link to a worker thread: one end of a MessageChannel made for it alone. Not the thread's parentPort, whose host
// end cannot be closed: what a flooding thread has queued there would still be delivered after its end.
import type { MessagePort } from 'node:worker_threads';
import type { Closing, Port } from './port.js';

export function threadPort(port: MessagePort): Port {
  let open = true;
  let closedListener: (why: Closing) => void = () => undefined;
  const closed = (): void => {
    if (!open) return;
    open = false;
    closedListener('ended');
  };
  port.once('close', closed);
  return {
    post: (frame) => {
      if (open) port.postMessage(frame);
    },
    onFrame: (listener) => {
      port.on('message', (frame: unknown) => {
        if (open) listener(frame);
      });
    },
    onClosed: (listener) => {
      closedListener = listener;
    },
    close: () => {
      port.close();
      closed();
    },
  };
}

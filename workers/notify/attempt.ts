// One delivery attempt. Its timeout or an abort ends it, whatever the service does.
import type { Message } from './message.js';
import type { SendOutcome } from './services/outcome.js';
import { failureOf } from './services/outcome.js';
import type { Service } from './services/service.js';

/** The attempt was aborted: the worker ends, or the service was removed from the configuration. */
export const givenUp = failureOf('UNREACHABLE', 'the notify worker ends');

/** Calls `settle` once, with the outcome; the returned function aborts with `givenUp`. */
export function attempt(
  service: Service,
  message: Message,
  timeoutMs: number,
  setTimer: (ms: number, then: () => void) => () => void,
  settle: (outcome: SendOutcome) => void,
): () => void {
  const controller = new AbortController();
  let open = true;
  const end = (outcome: SendOutcome): void => {
    if (!open) return;
    open = false;
    cancelTimeout();
    settle(outcome);
  };
  const cancelTimeout = setTimer(timeoutMs, () => {
    controller.abort();
    const message = `it did not answer within ${String(timeoutMs / 1000)} s; check the network`;
    end(failureOf('TIMEOUT', message));
  });
  void service.send(message, controller.signal).then(end);
  return () => {
    controller.abort();
    end(givenUp);
  };
}

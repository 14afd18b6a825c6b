import { Standby } from '../../../supervisor/engine/standby.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { idleLog } from '../../fixtures/idle-parts.js';

export const at = (second: number) => ({ monotonicMs: second * 1_000, unixSeconds: second });

const fails = (): never => {
  throw new Error('no memory');
};
export const unreadable = { read: fails, write: fails };

/** Without an engine. `started` gets the groups that the reserve starts; `decidedAt`: when policy has, by its state. */
export const standbyWith = (
  started: string[],
  file: ConstructorParameters<typeof Standby>[0]['file'] = { read: () => null, write: () => true },
  decidedAt: number | null = null,
): Standby =>
  new Standby({
    guard: new Guard(idleLog),
    file,
    now: () => at(0),
    firedAt: () => decidedAt,
    knownOf: () => undefined,
    mayStart: () => true,
    start: (requests) => started.push(...requests.map(({ group }) => group)),
    ...{ powerReturned: () => undefined, post: () => undefined, record: () => undefined },
  });

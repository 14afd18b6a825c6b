// Names of event types in the configuration. The list of all is too long for a message: a wrong name gets the nearest one as a
// hint.
import * as t from 'io-ts';
import { EventType, eventTypes } from '../../../shared/domain/status/events.js';
import { nearest } from '../../../shared/domain/base/nearest-name.js';

/** A name of `known` without a fault. */
export function typeName<T extends string>(
  codec: t.Type<T>,
  known: readonly string[],
  faultOf: (type: T) => string | undefined,
): t.Type<T> {
  return new t.Type<T>(
    'the name of an event type such as "POWER_RESTORED"',
    codec.is,
    (u, c) => {
      if (codec.is(u)) {
        const fault = faultOf(u);
        return fault === undefined ? t.success(u) : t.failure(u, c, fault);
      }
      if (typeof u !== 'string') return t.failure(u, c);
      const hint = nearest(u, known);
      const advice = hint === undefined ? '' : `; did you mean "${hint}"?`;
      return t.failure(u, c, `no event has this name${advice} (upper case counts)`);
    },
    t.identity,
  );
}

export const eventName = typeName(EventType, eventTypes, () => undefined);

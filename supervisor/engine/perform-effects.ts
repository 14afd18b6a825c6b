// Performs policy's effects: first the commit of a decision, then its commands, then everything else. A change of the power
// source is shown after its commit.
import type { Effect } from '../policy/base/effects.js';
import type { ShutdownRequest } from '../policy/base/effects.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import type { EventHold } from './event-hold.js';

export interface EffectHandlers {
  /** Writes the snapshot and returns after the write. */
  commit(): void;
  saveSoon(): void;
  readonly eventHold: EventHold;
  /** Starts the sequences of groups that fired in the same step. */
  startSequences(requests: readonly { readonly group: string; readonly request: ShutdownRequest }[]): void;
  powerReturned(group: string): void;
  record(event: RecordedEvent): void;
  notify(event: RecordedEvent): void;
  publish(groupId: string): void;
  prepare(): void;
}

/**
 * Performs the effects of one step. Only the commit comes before the start of a sequence. Logs an effect that throws and
 * performs the others.
 */
export function performEffects(effects: readonly Effect[], handlers: EffectHandlers, guard: Guard): void {
  const starts = effects.filter((effect) => effect.kind === 'startSequence');
  if (starts.length > 0) {
    guard.run('the commit of a decision', () => handlers.commit());
    guard.run('the start of sequences', () =>
      handlers.startSequences(
        starts.map(({ groupId: group, trigger, why }) => ({ group, request: { trigger, why } })),
      ),
    );
    handlers.eventHold.release();
  } else if (effects.some((effect) => effect.kind === 'saveSnapshot' && effect.first))
    handlers.eventHold.begin();
  for (const effect of effects) {
    const perform = (): void => {
      guard.run(`effect ${effect.kind}`, () => performEffect(effect, handlers));
    };
    if (shows.has(effect.kind)) handlers.eventHold.perform(perform);
    else perform();
  }
}

/** Events, notifications and rows. */
const shows: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>(['recordEvent', 'notify', 'publish']);

function performEffect(effect: Effect, handlers: EffectHandlers): void {
  switch (effect.kind) {
    case 'startSequence':
      return;
    case 'powerReturned':
      handlers.powerReturned(effect.groupId);
      return;
    case 'recordEvent':
      handlers.record(effect);
      return;
    case 'notify':
      handlers.notify({ source: effect.source, type: effect.type, detail: effect.text });
      return;
    case 'publish':
      handlers.publish(effect.groupId);
      return;
    case 'prepare':
      handlers.prepare();
      return;
    case 'saveSnapshot':
      handlers.saveSoon();
      return;
    default:
      unreachable(effect);
  }
}

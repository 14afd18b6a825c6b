// Performs what policy asks for. The first thing after the commit is the command; everything else comes behind it.
import type { Effect } from '../policy/effects.js';
import type { ShutdownRequest } from '../policy/shutdown.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';

export interface EffectHandlers {
  /** Writes the snapshot before it returns. */
  commit(): void;
  /** The snapshot is due soon. */
  saveSoon(): void;
  /** Of groups that fall at the same moment. */
  startSequences(asked: readonly { readonly group: string; readonly request: ShutdownRequest }[]): void;
  powerReturned(group: string): void;
  record(event: RecordedEvent): void;
  notify(event: RecordedEvent): void;
  publish(groupId: string): void;
  prepare(group: string): void;
}

/**
 * Performs the effects of one step, in an order in which nothing stands before a sequence but its commit. What one of
 * them throws is logged and keeps none of the others from being performed.
 */
export function performEffects(effects: readonly Effect[], hands: EffectHandlers, guard: Guard): void {
  const starts = effects.filter((effect) => effect.kind === 'startSequence');
  if (starts.length > 0) {
    guard.run('the commit of a decision', () => hands.commit());
    guard.run('the start of sequences', () =>
      hands.startSequences(
        starts.map(({ group, trigger, detail }) => ({ group, request: { trigger, why: detail } })),
      ),
    );
  }
  for (const effect of effects) guard.run(`effect ${effect.kind}`, () => performOne(effect, hands));
}

function performOne(effect: Effect, hands: EffectHandlers): void {
  switch (effect.kind) {
    case 'startSequence':
      return;
    case 'powerReturned':
      hands.powerReturned(effect.group);
      return;
    case 'recordEvent':
      hands.record(effect);
      return;
    case 'notify':
      hands.notify({ source: effect.source, type: effect.type, detail: effect.text });
      return;
    case 'publish':
      hands.publish(effect.groupId);
      return;
    case 'prepare':
      hands.prepare(effect.group);
      return;
    case 'saveSnapshot':
      hands.saveSoon();
      return;
    default:
      unreachable(effect);
  }
}

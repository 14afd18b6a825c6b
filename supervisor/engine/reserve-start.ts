// Reports a sequence that the reserve has started: its event, and its message in the words of policy. Where those throw the message
// is the reason alone.
import type { GroupSettings, UpsSettings } from '../policy/base/inputs.js';
import { worded } from '../policy/view/events.js';
import type { OpenSequence } from '../sequence/open-sequences.js';
import type { GuardedDependencies } from './guarded-dependencies.js';

/** `settings`: of the UPS or redundancy group, which its label is from. */
export function reportStart(
  { group: source, cause: { trigger, why } }: OpenSequence,
  settings: UpsSettings | GroupSettings | undefined,
  { guard, observer }: Pick<GuardedDependencies, 'guard' | 'observer'>,
): void {
  const type = 'SHUTDOWN_TRIGGERED';
  const reason = `${trigger}: ${why}`;
  observer.record({ source, type, detail: reason });
  let text = reason;
  guard.run('the words of a start by the reserve', () => {
    const effects = settings === undefined ? [] : worded({ type, trigger, why }, settings);
    for (const effect of effects) if (effect.kind === 'notify') ({ text } = effect);
  });
  observer.notify({ source, type, detail: text });
}

// Draws what restarts on the same boot find missing in the runtime directory.
import type { Random } from '../random.js';
import type { Loss } from '../scenario.js';

/** Of the first deaths of a daemon; more are rare. */
const deaths = 4;

export function losses(random: Random): readonly (readonly Loss[])[] {
  return Array.from({ length: deaths }, () => {
    const age = (): Loss => ({ kind: 'age', ms: random.pick([1, 1_000, 5_000, 30_000, 120_000]) });
    switch (random.weighted({ nothing: 55, age: 20, snapshot: 10, journals: 8, both: 4, all: 3 })) {
      case 'nothing':
        return [];
      case 'age':
        return [age()];
      case 'snapshot':
        return [{ kind: 'snapshot' }];
      case 'journals':
        return [{ kind: 'journals' }];
      case 'both':
        return [age(), { kind: 'journals' }];
      case 'all':
        return [{ kind: 'snapshot' }, { kind: 'journals' }];
    }
  });
}

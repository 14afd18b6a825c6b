// [heartbeat], in the file and as the program uses it.
import { oneOf } from '../../../shared/domain/base/units.js';
import type { WithDefaults } from './key.js';
import { optional } from './key.js';
import { secretSource } from './secret.js';
import { ms, seconds } from './values.js';

export const heartbeatKeys = {
  url: optional(secretSource, null),
  every: optional(seconds(10, 86_400), 60),
  when: optional(oneOf('alive', 'ready'), 'alive'),
};

export interface HeartbeatConfiguration {
  /** A secret; null while it is off. */
  readonly url: string | null;
  readonly everyMs: number;
  /** While every UPS is read; `ready`: and every server could be shut down. */
  readonly when: 'alive' | 'ready';
}

export function heartbeatSettings(
  { every, when }: WithDefaults<typeof heartbeatKeys>,
  url: string | null,
): HeartbeatConfiguration {
  return { url, everyMs: ms(every), when };
}

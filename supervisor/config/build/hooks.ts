// [[hooks]] as the program uses them.
import { createHash } from 'node:crypto';
import { sourceOf } from '../check/findings.js';
import type { HookConfiguration } from '../configuration/outbound.js';
import type { ConfigFile } from '../schema/file.js';
import { hookKeys } from '../schema/hooks.js';
import { withDefaults } from '../schema/key.js';
import { ms } from '../schema/values.js';

/** Two hooks of the same content are one. */
export function hookSettings(file: ConfigFile): readonly HookConfiguration[] {
  const hooks = (file.hooks ?? []).map((entry, index): HookConfiguration => {
    const hook = withDefaults(hookKeys, entry);
    return {
      id: createHash('sha256').update(JSON.stringify(hook)).digest('hex').slice(0, 32),
      label: `hooks[${String(index)}]`,
      on: hook.on,
      sources: hook.ups.map((name) => sourceOf(file, name)),
      afterMs: ms(hook.after),
      cancelOn: hook.cancel_on,
      command: hook.command,
      timeoutMs: ms(hook.timeout),
      inDryRun: hook.in_dry_run,
    };
  });
  return hooks.filter(({ id }, index) => hooks.findIndex((other) => other.id === id) === index);
}

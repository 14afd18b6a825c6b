// Rules for hooks: names that exist, and timers that can be cancelled.
import type { ConfigFile } from '../schema/file.js';
import type { Findings } from './findings.js';
import { unknownSource } from './findings.js';

export function checkHooks(file: ConfigFile, findings: Findings, upsesComplete: boolean): void {
  for (const [index, hook] of (file.hooks ?? []).entries()) {
    const path = `hooks[${String(index)}]`;
    if (hook.on.length === 0) findings.problem(`${path}.on`, 'names no event; the hook would never run');
    if (hook.on.includes('DAEMON_STOP'))
      findings.warning(
        `${path}.on`,
        'no hook runs for DAEMON_STOP: it is recorded when the daemon has ended',
      );
    if ((hook.cancel_on ?? []).length > 0 && (hook.after ?? 0) === 0)
      findings.problem(`${path}.cancel_on`, 'cancels nothing: without "after" the hook runs at once');
    for (const name of upsesComplete ? (hook.ups ?? []) : []) {
      const fault = unknownSource(file, name);
      if (fault !== undefined) findings.problem(`${path}.ups`, fault);
    }
  }
}

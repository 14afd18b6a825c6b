// Containers that stay off at the next boot once they are stopped: an engine starts one with the restart policy `unless-stopped` only
// where nobody has stopped it.
import { listNames } from './list-names.js';

export const restartPolicyFormat = '{{.Name}} {{.HostConfig.RestartPolicy.Name}}';

/** The names, from the output of `inspect` in this format. */
export function keptOffIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const [, name] = /^\/?(\S+) unless-stopped$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** What a person must know of them; empty for none. */
export function keptOffText(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `once stopped, these stay off at the next boot (restart policy unless-stopped): ${listNames(names)}; with the policy always they start`;
}

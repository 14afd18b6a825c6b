// What a health probe may run on a server: one harmless command. Asked when the configuration is loaded, and again by the
// worker that runs it, so that no other text ever goes out as a probe. Pure.

/** Words that have no place in a harmless probe, whichever program they are given to (interface.md 1, rule 7). */
const shutdownWords = new Set([
  'shutdown',
  'poweroff',
  'reboot',
  'halt',
  'kexec',
  'init',
  'telinit',
  // As PowerShell calls it.
  'stop-computer',
  'restart-computer',
]);
const stoppingPairs: readonly (readonly [string, string])[] = [
  ['systemctl', 'stop'],
  ['systemctl', 'isolate'],
  ['systemctl', 'suspend'],
  ['systemctl', 'hibernate'],
  ['docker', 'stop'],
  ['podman', 'stop'],
  ['virsh', 'destroy'],
  ['qm', 'stop'],
  ['pct', 'stop'],
];

const longest = 1024;

/** No shell metacharacter, no line break, and no word that stops something. Words count whole: `shutdown-history` passes. */
export function isHarmlessProbe(text: string): boolean {
  if (text.trim() === '' || text.length > longest || !/^[A-Za-z0-9 _./:=@%+,-]+$/.test(text)) return false;
  const words = text.toLowerCase().split(/[^a-z0-9_-]+/);
  return (
    !words.some((word) => shutdownWords.has(word)) &&
    !stoppingPairs.some(([program, verb]) => words.includes(program) && words.includes(verb))
  );
}

// What a process that tests mutants shares with the one that started it: its task, which is the first message, and what it says.
import { once } from 'node:events';

// A process of its own, because tests set umask and signal handlers, which threads cannot. Nothing may outlive its parent.
process.once('disconnect', () => process.exit());

const [given] = (await once(process, 'message')) as [unknown];

export const task = given;

export function say(message: object): void {
  process.send?.(message);
}

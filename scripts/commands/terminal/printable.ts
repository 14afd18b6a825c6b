// Text for a terminal. Names, status words and messages come from files and devices: nothing of them may steer it.

/** Every control character but the line break becomes a question mark; a hard space becomes a space. */
export function printable(text: string): string {
  return text.replaceAll('\u00a0', ' ').replace(/[^\P{Cc}\n]/gu, '?');
}

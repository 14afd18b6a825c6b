// Text for a terminal. Names, status words and messages come from files and devices: they must not control the terminal.

/** Replaces control characters except line breaks by question marks, and no-break spaces by spaces. */
export function printable(text: string): string {
  return text.replaceAll('\u00a0', ' ').replace(/[^\P{Cc}\n]/gu, '?');
}

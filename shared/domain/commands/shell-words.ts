// Words for a POSIX shell. Pure; it starts no shell.

/** One word for a POSIX shell in single quotes: no character in it has a meaning for the shell. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** One word for a POSIX shell, quoted only where it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word);
}

/** A command for a person to read: words that need quotes are in double quotes. */
export function commandText(command: readonly string[]): string {
  return command
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, (character) => `\\${character}`)}"`,
    )
    .join(' ');
}

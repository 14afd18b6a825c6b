// Text from outside in a message of one line.

/** Replaces every control and format character, line and paragraph separator by a question mark. */
export function singleLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}

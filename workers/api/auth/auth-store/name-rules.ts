// The names of users and API keys: words that need no quotes in a shell, a log line or an audit row.

const maxNameLength = 64;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@-]*$/;

/** For messages, after "expected". */
export const nameRule = 'a letter or digit, then letters, digits and . _ @ -, at most 64 characters';

export function isUserName(text: string): boolean {
  return text.length <= maxNameLength && namePattern.test(text);
}

export function isKeyLabel(text: string): boolean {
  return isUserName(text);
}

// Reads Node's `rawHeaders`, the flat list of names and values as sent, repeated headers included.

/** Every value of the header `name` (in lower case), in their order. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    // Compares the length first: it decides nearly every comparison, and every request makes many.
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

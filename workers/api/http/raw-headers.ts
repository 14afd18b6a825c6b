// The flat list of names and values that Node calls `rawHeaders`: what was sent, doubled headers included.

/** Every value of the header `name` (in lower case), in the order in which they came. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    // The length first: every request is asked for several names, and nearly every comparison ends there.
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

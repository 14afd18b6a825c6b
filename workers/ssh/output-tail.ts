// Keeps the end of the output of a command, which has the reason of a failure, within a bound, as text that is safe to show.

/** For each of the two streams; a report of a hundred guests fits. */
const maxBytes = 8_192;

export class OutputTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joined only at twice the bound, so that each byte is copied a bounded number of times.
    if (this.#bytes < 2 * maxBytes) return;
    const last = Buffer.concat(this.#chunks).subarray(-maxBytes);
    // A copy: a slice would keep the complete buffer in memory.
    this.#chunks = [Buffer.from(last)];
    this.#bytes = maxBytes;
  }

  get text(): string {
    const bytes = Buffer.concat(this.#chunks).subarray(-maxBytes);
    return withoutControls(bytes.toString('utf8'));
  }
}

/** Without escape sequences and control characters; line breaks stay. */
export function withoutControls(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- removing them is its purpose
      .replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])/g, '')
      // oxlint-disable-next-line no-control-regex -- removing them is its purpose
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  );
}

/** On one line, at most `maxLength` characters: the end of the output, where commands print the reason. */
export function oneLine(text: string, maxLength: number): string {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('; ');
  return line.length > maxLength ? `...${line.slice(-(maxLength - 3))}` : line;
}

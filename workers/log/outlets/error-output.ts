// Passes the standard error of a child to the log, with a limit: a child with an error for every line must not fill the log.

/** Longest line passed to the log. */
const maxLineLength = 300;
/** Different texts that are passed on in one period; further ones are counted. */
const maxTexts = 8;
/** The log gets a text once in a period: a reminder while the problem lasts. */
const periodMs = 600_000;

export class ErrorOutput {
  readonly #program: string;
  #listener: (text: string) => void = () => undefined;
  readonly #reported = new Set<string>();
  #repeats = 0;
  /** The beginning of an incomplete line. */
  #rest = '';
  #period: NodeJS.Timeout | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  onLine(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    // An incomplete line is passed on when it is long enough.
    const rest = lines.pop() ?? '';
    this.#rest = rest.length < maxLineLength ? rest : '';
    if (rest.length >= maxLineLength) lines.push(rest);
    for (const line of lines) this.#report(line.trim().slice(0, maxLineLength));
  }

  /** Stops calls of the listener. */
  end(): void {
    clearTimeout(this.#period);
    this.#listener = () => undefined;
  }

  #report(line: string): void {
    if (line === '') return;
    this.#period ??= setTimeout(() => this.#periodOver(), periodMs).unref();
    if (this.#reported.has(line) || this.#reported.size >= maxTexts) {
      this.#repeats += 1;
      return;
    }
    this.#reported.add(line);
    this.#listener(
      `${this.#program} reports "${line}": lines may be missing in syslog. Check that the syslog daemon runs and reads its socket (docs/logging.md).`,
    );
  }

  #periodOver(): void {
    this.#period = undefined;
    this.#reported.clear();
    if (this.#repeats > 0)
      this.#listener(
        `${this.#program} reported ${String(this.#repeats)} more errors in the last ten minutes.`,
      );
    this.#repeats = 0;
  }
}

// What a child writes to standard error, for the log: each text at once, and never more than a few lines. A child that
// complains of every line it is given must not fill the log with it.

/** One line of standard error, cut. */
const longest = 300;
/** Different texts that are passed on within one period; the rest is counted. */
const mostTexts = 8;
/** A text is passed on once in a period: a reminder while the trouble lasts, and no flood. */
const periodMs = 600_000;

export class Complaints {
  readonly #program: string;
  #listener: (text: string) => void = () => undefined;
  /** Texts told in this period. */
  readonly #told = new Set<string>();
  #repeats = 0;
  /** A line without its end yet. */
  #rest = '';
  #period: NodeJS.Timeout | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  tellTo(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  /** A piece of standard error, as it came. */
  said(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    // A line without an end is passed on when it is long enough.
    const rest = lines.pop() ?? '';
    this.#rest = rest.length < longest ? rest : '';
    if (rest.length >= longest) lines.push(rest);
    for (const line of lines) this.#complain(line.trim().slice(0, longest));
  }

  /** The listener is not called any more. */
  end(): void {
    clearTimeout(this.#period);
    this.#listener = () => undefined;
  }

  #complain(line: string): void {
    if (line === '') return;
    this.#period ??= setTimeout(() => this.#periodOver(), periodMs).unref();
    if (this.#told.has(line) || this.#told.size >= mostTexts) {
      this.#repeats += 1;
      return;
    }
    this.#told.add(line);
    this.#listener(
      `${this.#program} says "${line}": lines may be missing in syslog. See whether the syslog daemon runs and reads its socket (docs/logging.md).`,
    );
  }

  #periodOver(): void {
    this.#period = undefined;
    this.#told.clear();
    if (this.#repeats > 0)
      this.#listener(
        `${this.#program} has complained ${String(this.#repeats)} more times in the last ten minutes.`,
      );
    this.#repeats = 0;
  }
}

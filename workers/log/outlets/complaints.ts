// Passes the standard error of a child to the log, with a limit: a child that complains about every line it gets must not
// fill the log.

/** One line of standard error, cut. */
const longest = 300;
/** Different texts that are passed on in one period; further ones are counted. */
const mostTexts = 8;
/** A text is passed on once in a period: a reminder while the problem lasts. */
const periodMs = 600_000;

export class Complaints {
  readonly #program: string;
  #listener: (text: string) => void = () => undefined;
  /** Texts passed on in this period. */
  readonly #told = new Set<string>();
  #repeats = 0;
  /** The beginning of an incomplete line. */
  #rest = '';
  #period: NodeJS.Timeout | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  tellTo(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  /** Takes a piece of standard error. */
  said(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    // An incomplete line is passed on when it is long enough.
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
      `${this.#program} reports "${line}": lines may be missing in syslog. Check that the syslog daemon runs and reads its socket (docs/logging.md).`,
    );
  }

  #periodOver(): void {
    this.#period = undefined;
    this.#told.clear();
    if (this.#repeats > 0)
      this.#listener(
        `${this.#program} reported ${String(this.#repeats)} more errors in the last ten minutes.`,
      );
    this.#repeats = 0;
  }
}

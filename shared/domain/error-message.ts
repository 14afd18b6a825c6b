// The text of whatever was thrown. Never throws for an `Error`.

/** The message of an `Error`, or the value as text. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The stack trace of an `Error`, or its message. */
export const errorTrace = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

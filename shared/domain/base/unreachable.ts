// Ends every switch over a closed union: a new member that is not handled fails to compile.

/** Reached only when a value does not match its type, which is a bug and is thrown as one. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

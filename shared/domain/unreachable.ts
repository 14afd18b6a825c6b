// Ends every switch over a closed union, so that a union that grows fails to compile where it is not handled.

/** Never called at run time unless a value lies about its type; then it is a bug and is thrown as one. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

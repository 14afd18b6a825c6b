// Which instant commands cut the power of a load (contract 7): refused wherever one could come from outside, whatever an
// allowlist says.

/** NUT compares names without case. */
export function cutsPower(command: string): boolean {
  return /^(?:shutdown(?:\.|$)|load\.off)/i.test(command);
}

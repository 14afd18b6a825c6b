// Jitter without a source of randomness: the same text gives the same number. Pure.

/** From 0 to below 1: FNV-1a, 32 bits, mixed so that similar texts give distant numbers. */
export function jitter(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

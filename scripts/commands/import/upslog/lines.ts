// Reads the lines of a file in pieces of bounded size, up to a size that was read before: a log may grow meanwhile.
import type { FileHandle } from 'node:fs/promises';
import { ImportError } from '../history-sink.js';

const pieceBytes = 1 << 20;
/** Ten times the longest line of upslog, whose buffers have some hundred characters. */
export const maxLineBytes = 8192;

export interface FileLine {
  /** One character a byte; null for a line that is too long. */
  readonly text: string | null;
  readonly number: number;
  /** False: the file ends within it. */
  readonly isWhole: boolean;
}

/** Calls `take` for every line, and `pause` between two pieces, which ends the reading with false. Returns the number of lines. */
export async function readLines(
  file: FileHandle,
  size: number,
  take: (line: FileLine) => void,
  pause: () => Promise<boolean>,
): Promise<number> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let [number, place] = [0, 0];
  /** The beginning of a line from the pieces before; null for one that is too long. */
  let begun: string | null = '';
  const joined = (rest: string): string | null =>
    begun === null || begun.length + rest.length > maxLineBytes ? null : begun + rest;
  const give = (rest: string, isWhole: boolean): void => {
    number += 1;
    const line = joined(rest);
    take({ text: line?.endsWith('\r') === true ? line.slice(0, -1) : line, number, isWhole });
    begun = '';
  };
  while (place < size) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, size - place), place);
    if (bytesRead === 0) throw new ImportError('the file has become shorter while it was read');
    place += bytesRead;
    const text = piece.toString('latin1', 0, bytesRead);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; from = end + 1, end = text.indexOf('\n', from))
      give(text.slice(from, end), true);
    begun = joined(text.slice(from));
    if (!(await pause())) return number;
  }
  if (begun !== '') give('', false);
  return number;
}

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
  /** The beginning of a line from the pieces before. */
  let begun = Buffer.alloc(0);
  let isTooLong = false;
  const give = (rest: Buffer, isWhole: boolean): void => {
    number += 1;
    const line = begun.length === 0 ? rest : Buffer.concat([begun, rest]);
    const end = line.at(-1) === 0x0d ? line.length - 1 : line.length;
    const text = isTooLong || line.length > maxLineBytes ? null : line.toString('latin1', 0, end);
    take({ text, number, isWhole });
    begun = Buffer.alloc(0);
    isTooLong = false;
  };
  while (place < size) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, size - place), place);
    if (bytesRead === 0) throw new ImportError('the file has become shorter while it was read');
    place += bytesRead;
    let from = 0;
    for (
      let end = piece.indexOf(0x0a);
      end >= 0 && end < bytesRead;
      from = end + 1, end = piece.indexOf(0x0a, from)
    )
      give(piece.subarray(from, end), true);
    const rest = piece.subarray(from, bytesRead);
    isTooLong ||= begun.length + rest.length > maxLineBytes;
    begun = isTooLong ? Buffer.alloc(0) : Buffer.concat([begun, rest]);
    if (!(await pause())) return number;
  }
  if (begun.length > 0 || isTooLong) give(Buffer.alloc(0), false);
  return number;
}

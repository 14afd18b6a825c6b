// Writes files as a tar archive (POSIX ustar). Names are ASCII, at most 100 characters; contents are in memory.

export interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer;
}

const blockBytes = 512;

/** What one file takes in the archive. */
export function tarredBytes({ content }: ArchiveFile): number {
  return blockBytes + Math.ceil(content.length / blockBytes) * blockBytes;
}

export function tar(files: readonly ArchiveFile[], unixSeconds: number): Buffer {
  const parts = files.flatMap((file) => [
    header(file, unixSeconds),
    file.content,
    Buffer.alloc(tarredBytes(file) - blockBytes - file.content.length),
  ]);
  // Two empty blocks end an archive.
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

function header({ name, content }: ArchiveFile, unixSeconds: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`no name for an archive: ${name}`);
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number): void =>
    void block.write(Math.floor(value).toString(8).padStart(digits, '0'), at, 'ascii');
  block.write(name, 0, 'ascii');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(content.length, 124, 11);
  octal(unixSeconds, 136, 11);
  // The checksum is computed with blanks in its place.
  block.write(' '.repeat(8) + '0', 148, 'ascii');
  block.write('ustar\0' + '00', 257, 'ascii');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block[154] = 0;
  return block;
}

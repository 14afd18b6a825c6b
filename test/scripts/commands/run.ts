// Runs a command of this process and catches what it prints.

export interface Said {
  out: string;
  err: string;
}

/** The output and result of a command; `said` can be read while it runs. */
export async function run(
  command: () => Promise<number>,
  said: Said = { out: '', err: '' },
): Promise<{ code: number; out: string; err: string }> {
  const { stdout, stderr } = process;
  const [out, err] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  stdout.write = (text: string | Uint8Array) => ((said.out += String(text)), true);
  stderr.write = (text: string | Uint8Array) => ((said.err += String(text)), true);
  try {
    return { code: await command(), ...said };
  } finally {
    stdout.write = out;
    stderr.write = err;
  }
}

// The attempts of an attacker in a worker. Runs inside that worker, so it may import nothing.

export interface Intrusion {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Files to be created, and removed again on success. */
  readonly make: readonly string[];
  readonly list: readonly string[];
  /** Moved away, and back on success. */
  readonly remove: readonly string[];
  readonly connect: readonly string[];
  /** Signal 0 only checks the permission. */
  readonly signal: readonly number[];
}

/** The result of each attempt, by `verb target`: an error code, or `done`. */
export type Outcomes = Readonly<Record<string, string>>;

/** An expression for `valueInside`. */
export function intrusionOf(targets: Intrusion): string {
  return `(${intrude.toString()})(${JSON.stringify(targets)})`;
}

async function intrude(targets: Intrusion): Promise<Outcomes> {
  const fs = process.getBuiltinModule('node:fs');
  const net = process.getBuiltinModule('node:net');
  const outcomes: Record<string, string> = {};
  const attempt = (what: string, act: () => void): void => {
    try {
      act();
      outcomes[what] = 'done';
    } catch (error) {
      outcomes[what] = (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };
  const opened = (path: string, flags: string): void => fs.closeSync(fs.openSync(path, flags));
  for (const path of targets.read) attempt(`read ${path}`, () => opened(path, 'r'));
  for (const path of targets.write) attempt(`write ${path}`, () => opened(path, 'r+'));
  for (const path of targets.make)
    attempt(`make ${path}`, () => {
      opened(path, 'wx');
      fs.unlinkSync(path);
    });
  for (const path of targets.list) attempt(`list ${path}`, () => void fs.readdirSync(path));
  for (const path of targets.remove)
    attempt(`remove ${path}`, () => {
      fs.renameSync(path, `${path}.gone`);
      fs.renameSync(`${path}.gone`, path);
    });
  for (const pid of targets.signal) attempt(`signal ${String(pid)}`, () => void process.kill(pid, 0));
  attempt('become root', () => process.setuid?.(0));
  attempt('become another group', () => process.setgid?.(0));
  attempt('join groups', () => process.setgroups?.([0]));
  for (const path of targets.connect)
    outcomes[`connect ${path}`] = await new Promise((resolve) => {
      const socket = net.connect({ path }, () => {
        socket.destroy();
        resolve('done');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  return outcomes;
}

// Whether ping works here, for this user: tried once on the loopback interface.
import { spawn } from 'node:child_process';

/** ping gives up after 1 s. */
const deadlineMs = 5_000;

/** The reason why it does not; null when it does. Never rejects. */
export function pingTrouble(): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('ping', ['-n', '-c', '1', '-W', '1', '127.0.0.1'], { stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const end = (trouble: string | null): void => {
      clearTimeout(timer);
      resolve(trouble);
    };
    child.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? 'there is no program ping' : `ping cannot be started: ${error.message}`),
    );
    child.once('close', (code) =>
      end(
        code === 0
          ? null
          : 'ping is not permitted to the user of the worker: allow its group in net.ipv4.ping_group_range (sysctl)',
      ),
    );
  });
}

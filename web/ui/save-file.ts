// Saves an answer of the daemon as a file of the browser. A link would not carry the session.
import type { ApiClient } from '../daemon/api-client.js';
import { make } from './dom.js';

export async function saveFile(
  api: ApiClient,
  path: string,
  name: string,
  timeoutMs?: number,
): Promise<void> {
  const address = URL.createObjectURL(await api.file(path, timeoutMs));
  const link = make('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Saves an answer of the daemon as a file of the browser. A link would not carry the session.
import type { ApiClient } from '../daemon/api-client.js';
import { requestErrorText } from '../daemon/api-client.js';
import { button, make, setText } from '../ui/dom.js';

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

/** Buttons that save the answer of `path` as a page and as CSV. `problem` tells why a file cannot be saved. */
export function saveButtons(
  api: ApiClient,
  path: (format: 'html' | 'csv') => string,
  name: string,
  problem: HTMLElement,
): HTMLElement {
  const save = (text: string, format: 'html' | 'csv'): HTMLButtonElement =>
    button(text, '', () => {
      problem.hidden = true;
      saveFile(api, path(format), `${name}.${format}`).catch((error: unknown) => {
        setText(problem, `The file cannot be saved: ${requestErrorText(error)}`);
        problem.hidden = false;
      });
    });
  return make('p', 'buttons', save('Save as a page', 'html'), save('Save as CSV', 'csv'));
}

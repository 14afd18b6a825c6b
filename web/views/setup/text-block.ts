// Text to copy.
import { button, make, setText } from '../../ui/dom.js';

export function textBlock(title: string, text: string, note: string): HTMLElement {
  const content = make('pre', '', text);
  content.tabIndex = 0;
  content.setAttribute('role', 'region');
  content.setAttribute('aria-label', title);
  const status = make('span', 'quiet');
  status.setAttribute('role', 'status');
  const copy = button('Copy', 'plain', () => void copied());
  copy.setAttribute('aria-label', `Copy: ${title}`);
  const copied = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setText(status, 'Copied.');
    } catch {
      // Without TLS a browser gives no clipboard, except on this machine.
      getSelection()?.selectAllChildren(content);
      setText(status, 'Selected: copy it with the keyboard.');
    }
  };
  return make(
    'section',
    'panel',
    make('div', 'section-top', make('h2', '', title), status, copy),
    make('p', 'quiet', note),
    content,
  );
}

// Asks before something is done that cannot be undone: what, to whom, and what follows. The safe answer has the focus.
import { button, freshId, make } from './dom.js';

export interface Question {
  readonly title: string;
  readonly lines: readonly string[];
  /** The word on the button that does it. */
  readonly action: string;
  /** More to fill in, shown below the lines. */
  readonly field?: HTMLElement;
}

/** Resolves true when it was confirmed; Escape, and anything else that closes it, is no. */
export function confirmed({ title, lines, action, field }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = make('dialog', 'confirmation');
    const heading = make('h2', '', title);
    heading.id = freshId();
    dialog.setAttribute('aria-labelledby', heading.id);
    const cancel = button('Cancel', '', () => dialog.close('no'));
    const act = button(action, 'danger-button', () => dialog.close('yes'));
    dialog.append(
      heading,
      ...lines.map((line) => make('p', '', line)),
      ...(field === undefined ? [] : [field]),
      make('div', 'buttons', cancel, act),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  });
}

// The dialog before an action that cannot be undone. Cancel has the focus.
import { button, uniqueId, make } from './dom.js';

export interface ConfirmationRequest {
  readonly title: string;
  readonly lines: readonly string[];
  readonly action: string;
  readonly field?: HTMLElement;
}

/** Resolves true for a confirmation, false for Escape and any other way to close the dialog. */
export function askConfirmation({ title, lines, action, field }: ConfirmationRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = make('dialog', 'confirmation');
    const heading = make('h2', '', title);
    heading.id = uniqueId();
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

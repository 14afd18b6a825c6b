// System, light or dark: kept in this browser, applied as an attribute of the page. Charts ask here for their colours.
import { make, say } from './dom.js';

type Theme = 'system' | 'light' | 'dark';

const key = 'ridethrough.theme';
const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** The button that goes round the three. `changed` redraws what is not drawn by style sheets. */
export function themeButton(changed: () => void): HTMLButtonElement {
  const word = make('span');
  const button = make('button', 'plain theme', word);
  button.type = 'button';
  let theme = read();
  const apply = (): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    say(word, words[theme]);
    button.setAttribute('aria-label', `Theme: ${words[theme]}`);
    button.title = `Switch to the ${words[next[theme]].toLowerCase()} theme`;
    changed();
  };
  button.addEventListener('click', () => {
    theme = next[theme];
    write(theme);
    apply();
  });
  darkSystem.addEventListener('change', apply);
  apply();
  return button;
}

/** A colour of the style sheet as the canvas needs it. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function read(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    // Storage is switched off: the system's choice is as good.
    return 'system';
  }
}

function write(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It then holds for this page only.
  }
}

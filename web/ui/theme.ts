// The theme: system, light or dark. Stored in this browser, set as an attribute of the page; the source of chart colours.
import { make, setText } from './dom.js';

type Theme = 'system' | 'light' | 'dark';

const key = 'ridethrough.theme';
const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** The button that switches to the next theme. `changed` redraws what style sheets do not draw. */
export function themeButton(changed: () => void): HTMLButtonElement {
  const word = make('span');
  const button = make('button', 'plain theme', word);
  button.type = 'button';
  let theme = read();
  const apply = (): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    setText(word, words[theme]);
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

/** The value of a custom property, for the canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function read(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage is disabled: use the system's theme.
    return 'system';
  }
}

function write(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

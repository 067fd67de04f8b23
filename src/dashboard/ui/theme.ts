/** The user's choice; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const storage = findStorage();
const isDark = matchMedia('(prefers-color-scheme: dark)');

/** The theme chosen on this device. */
export function readTheme(): Theme {
  const stored = storage?.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Saves and applies a theme. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') storage?.removeItem(KEY);
  else storage?.setItem(KEY, theme);
  show();
}

/** Applies the chosen theme and then follows the device. */
export function applyTheme(): void {
  show();
  isDark.addEventListener('change', show);
}

function show(): void {
  const theme = readTheme();
  const shown = theme === 'system' ? (isDark.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset.theme = shown;
}

/** A frame in a third-party page may have none. */
function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

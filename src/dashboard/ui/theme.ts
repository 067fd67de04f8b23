import { useSyncExternalStore } from 'react';

/** The user's choice; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const storage = findStorage();
const changes = new EventTarget();

/** The theme chosen on this device. */
function readTheme(): Theme {
  const stored = storage?.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The same, for parts of the page that show it. */
export function useTheme(): Theme {
  return useSyncExternalStore(listen, readTheme);
}

function listen(onChange: () => void): () => void {
  changes.addEventListener('change', onChange);
  return () => changes.removeEventListener('change', onChange);
}

/** The themes, as menus name them. */
export const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Saves and applies a theme. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') storage?.removeItem(KEY);
  else storage?.setItem(KEY, theme);
  applyTheme();
  changes.dispatchEvent(new Event('change'));
}

/** Applies the chosen theme; without one, the style sheet follows the device. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** A frame in a third-party page may have none. */
function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

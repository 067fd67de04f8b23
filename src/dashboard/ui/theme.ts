import { useSyncExternalStore } from 'react';
import { findStorage } from './device.ts';

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

/**
 * Applies the look that an address asks for, whatever this device has chosen: `theme=light`, `dark` or `transparent`, and
 * `accent=0d8f5f`. Without a theme, a frame follows the page around it.
 */
export function applyLook(params: URLSearchParams): void {
  const { dataset, style } = document.documentElement;
  const theme = params.get('theme') ?? '';
  if (FRAME_THEMES.some(({ value }) => value !== '' && value === theme)) dataset.theme = theme;
  const accent = params.get('accent') ?? '';
  if (!/^([\da-f]{3}){1,2}$/i.test(accent)) return;
  dataset.accent = '';
  style.setProperty('--accent', `#${accent}`);
}

/** The themes of frames, as forms name them. */
export const FRAME_THEMES = [
  { value: '', label: 'The page’s own' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'transparent', label: 'Transparent' },
] as const;

import { regionNames } from './intl-forms.ts';

/** A country's name in the user's language: `DE` is `Germany`; other values stay as they are. */
export function nameCountry(code: string, locale?: string): string {
  try {
    return regionNames(locale).of(code) ?? code;
  } catch {
    return code;
  }
}

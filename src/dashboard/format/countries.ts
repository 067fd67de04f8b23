import { regionNames } from './intl-forms.ts';

/** A country's name in the user's language: `DE` is `Germany`; other values stay as they are. */
export function nameCountry(code: string, locale?: string): string {
  try {
    return regionNames(locale).of(code) ?? code;
  } catch {
    return code;
  }
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The codes of the countries whose name in the user's language, or code, contains a text. */
export function findCountries(text: string, locale?: string): readonly string[] {
  const wanted = text.toLowerCase();
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => {
    const name = nameCountry(code, locale);
    return name !== code && `${code} ${name}`.toLowerCase().includes(wanted);
  });
}

import { regionNames } from './intl-forms.ts';

/** A country's name in the user's language: `DE` is `Germany`; other values stay as they are. */
export function nameCountry(code: string, locale?: string): string {
  try {
    return regionNames(locale).of(code) ?? code;
  } catch {
    return code;
  }
}

/** All codes of two small letters: languages, and with capitals countries. */
export function twoLetterCodes(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

/** The codes of the countries whose name in the user's language, or code, contains a text. */
export function findCountries(text: string, locale?: string): readonly string[] {
  const wanted = text.toLowerCase();
  const codes = twoLetterCodes().map((code) => code.toUpperCase());
  return codes.filter((code) => {
    const name = nameCountry(code, locale);
    return name !== code && `${code} ${name}`.toLowerCase().includes(wanted);
  });
}

const forms = new Map<string, unknown>();
let language: string | undefined;

/** Sets the language of all texts and figures, instead of the browser's own: tests do. */
export function formatIn(chosen?: string): void {
  language = chosen;
}

/** A date format, kept: creating one costs more than hundreds of uses. */
export function dateForm(options: Intl.DateTimeFormatOptions, locale = language) {
  return kept('date', options, locale, () => new Intl.DateTimeFormat(locale, options));
}

/** A number format, kept. */
export function numberForm(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept('number', options, language, () => new NumberForm(language, options));
}

/** Numbers with the minus sign that all languages share, as signs are written elsewhere. */
class NumberForm extends Intl.NumberFormat {
  override format(value: number | bigint | Intl.StringNumericLiteral): string {
    const parts = this.formatToParts(value);
    return parts.map(({ type, value: text }) => (type === 'minusSign' ? '−' : text)).join('');
  }
}

/** Names of regions, languages or currencies, kept. */
export function displayNames(type: 'region' | 'language' | 'currency'): Intl.DisplayNames {
  const options = { type, languageDisplay: 'standard' } as const;
  return kept('names', options, language, () => new Intl.DisplayNames(language, options));
}

function kept<Form>(
  kind: string,
  options: object,
  locale: string | undefined,
  create: () => Form,
): Form {
  const key = `${kind} ${locale ?? ''} ${JSON.stringify(options)}`;
  const form = (forms.get(key) as Form | undefined) ?? create();
  forms.set(key, form);
  return form;
}

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const names = new Map<string, Intl.DisplayNames>();

/** A date format, kept: creating one costs more than hundreds of uses. */
export function dateForm(
  options: Intl.DateTimeFormatOptions,
  locale?: string,
): Intl.DateTimeFormat {
  return kept(dates, options, locale, () => new Intl.DateTimeFormat(locale, options));
}

/** A number format, kept. */
export function numberForm(options: Intl.NumberFormatOptions, locale?: string): Intl.NumberFormat {
  return kept(numbers, options, locale, () => new NumberForm(locale, options));
}

/** Numbers with the minus sign that all languages share, as signs are written elsewhere. */
class NumberForm extends Intl.NumberFormat {
  override format(value: number | bigint | Intl.StringNumericLiteral): string {
    const parts = this.formatToParts(value);
    return parts.map(({ type, value: text }) => (type === 'minusSign' ? '−' : text)).join('');
  }
}

/** Names of regions, kept. */
export function regionNames(locale?: string): Intl.DisplayNames {
  const options = { type: 'region' } as const;
  return kept(names, options, locale, () => new Intl.DisplayNames(locale, options));
}

/** Names of languages, kept. */
export function languageNames(locale?: string): Intl.DisplayNames {
  const options = { type: 'language', languageDisplay: 'standard' } as const;
  return kept(names, options, locale, () => new Intl.DisplayNames(locale, options));
}

function kept<Form>(
  forms: Map<string, Form>,
  options: object,
  locale: string | undefined,
  create: () => Form,
): Form {
  const key = `${locale ?? ''} ${JSON.stringify(options)}`;
  const form = forms.get(key) ?? create();
  forms.set(key, form);
  return form;
}

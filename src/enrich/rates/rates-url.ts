/** The European Central Bank's rates since 1999. */
export const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';

/** Where rates are fetched from: the ECB where the setting is not there, and nowhere where it is empty. */
export function readRatesUrl(
  read: <T>(
    name: string,
    otherwise: T,
    parse: (text: string) => T | undefined,
    allowed: string,
  ) => T,
  toHttpUrl: (text: string) => string | undefined,
  text: string | undefined,
): string | undefined {
  const otherwise = text === undefined ? ECB_URL : undefined;
  return read('RATES_URL', otherwise, toHttpUrl, ALLOWED);
}

const ALLOWED = 'an http or https URL of a table of exchange rates, or empty for none';

/** An ISO 4217 currency: its code, and the number of decimals of its minor unit. */
export type Currency = { readonly code: string; readonly exponent: number };

/**
 * Finds a currency by its upper-case code.
 *
 * - Source: ISO 4217 list one, up to amendment 180 (ANG → XCG, ZWL → ZWG, BGN → EUR). List three for
 *   currencies withdrawn in the last ten years, because older payments keep their code.
 * - Why some codes are missing: metals, bond units, drawing rights, test codes and "no currency" have
 *   no minor unit, so no amount of them is exact.
 */
export function findCurrency(code: string): Currency | undefined {
  return CURRENCIES_BY_CODE.get(code);
}

const CODES_BY_EXPONENT: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
    CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
    GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
    MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
    PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
    TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Withdrawn since 2016. */
export const WITHDRAWN_BY_EXPONENT: Readonly<Record<number, string>> = {
  0: 'BYR',
  2: 'ANG BGN CUC HRK MRO SLL STD VEF ZWL',
};

const CURRENCIES_BY_CODE: ReadonlyMap<string, Currency> = new Map(
  [CODES_BY_EXPONENT, WITHDRAWN_BY_EXPONENT].flatMap((table) =>
    Object.entries(table).flatMap(([exponent, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((code) => [code, { code, exponent: Number(exponent) }] as const),
    ),
  ),
);

/** All known currencies, including withdrawn ones. */
export const CURRENCIES: readonly Currency[] = [...CURRENCIES_BY_CODE.values()];

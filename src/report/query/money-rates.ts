import type { RateSpan } from '#domain/money/exchange-rates.ts';

/** How a currency is converted to the euro, on the days on which the site was paid. */
export type CurrencyRates = {
  readonly currency: string;
  /**
   * Ascending and disjoint; on days between them there is no rate.
   *
   * - Units: `perEuro` is what a million euros are worth, in the currency's minor units.
   */
  readonly spans: readonly RateSpan[];
};

/** When a site was paid in a currency: the days of the first and the last payment, since 1970. */
export type PaidIn = {
  readonly currency: string;
  readonly paidFrom: number;
  readonly paidTo: number;
};

/** Payments in another currency than the site's. */
export type ForeignMoney = CurrencyRates & PaidIn;

/** What converting a site's payments takes. */
export type MoneyRates = {
  /** One for each other currency that the site was ever paid in. */
  readonly foreign: readonly ForeignMoney[];
  /** The site's own currency to the euro, where there is foreign money. */
  readonly own: CurrencyRates;
};

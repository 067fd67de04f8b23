import type { RateSpan } from '#domain/money/exchange-rates.ts';

/** How to convert a currency to euros, on the days on which the site was paid. */
export type CurrencyRates = {
  readonly currency: string;
  /**
   * Ascending and disjoint; days between them have no rate.
   *
   * - Units: `perEuro` is the value of a million euros, in the currency's minor units.
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

/** Everything needed to convert a site's payments. */
export type MoneyRates = {
  /** One for each other currency that the site was ever paid in. */
  readonly foreign: readonly ForeignMoney[];
  /** From the site's own currency to the euro, if it has foreign money. */
  readonly own: CurrencyRates;
};

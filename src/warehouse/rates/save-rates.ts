import { findCurrency } from '#domain/money/currencies.ts';
import { codesOf, type ExchangeRates, toRateSpans } from '#domain/money/exchange-rates.ts';
import type { Warehouse } from '../client.ts';

/** Which table the rates came from, and when: the rows that were loaded last win. */
export type RatesLoad = {
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
};

/** Puts exchange rates into the warehouse, one row a currency, in place of those it has. */
export async function saveRates(
  warehouse: Pick<Warehouse, 'insertLines'>,
  rates: ExchangeRates,
  load: RatesLoad,
): Promise<void> {
  const lines = codesOf(rates).map((code) => `${JSON.stringify(toRow(rates, code, load))}\n`);
  await warehouse.insertLines('rates', Buffer.from(lines.join('')));
}

function toRow(rates: ExchangeRates, code: string, { digest, loadedAt }: RatesLoad) {
  const spans = toRateSpans(rates, code);
  return {
    currency: code,
    exponent: findCurrency(code)?.exponent ?? 0,
    starts_on: spans.map((span) => span.startsOn),
    ends_on: spans.map((span) => span.endsOn),
    per_euro: spans.map((span) => span.perEuro),
    digest,
    loaded_at: loadedAt,
  };
}

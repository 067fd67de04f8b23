import {
  type ExchangeRates,
  findFirstChange,
  toRateSpans,
} from '#domain/money/rates/exchange-rates.ts';
import { parseRates } from '#domain/money/rates/parse-rates.ts';
import type { KnownRates } from '#ledger/payments/site-money.ts';

/** Exchange rates of a world with one currency. */
export const NO_RATES: KnownRates = { digest: () => '', changedSince: () => 0, spansOf: () => [] };

/** Rates that change, and that know the change from the ones before. */
export function createRates(): KnownRates & { change(table: string): void } {
  const known: ExchangeRates[] = [];
  return {
    change(table) {
      const parsed = parseRates(table);
      if (!parsed.ok) throw new Error(parsed.error);
      known.push(parsed.value);
    },
    digest: () => `${known.length}`,
    changedSince(digest) {
      const [before, after] = [known[Number(digest) - 1], known.at(-1)];
      return before === undefined || after === undefined
        ? 0
        : (findFirstChange(before, after) ?? 0);
    },
    spansOf: (code) => toRateSpans(known.slice(-1), code),
  };
}

/** A row as the warehouse has it, from its line: with the defaults of its table. */
export function readRow(line: string): Record<string, unknown> {
  const row = JSON.parse(line);
  return { site_minor_0: row.amount_minor, rate_0: 1, rate_source_0: 'same', ...row };
}

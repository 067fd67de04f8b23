import type { RateSpan } from '#domain/money/exchange-rates.ts';
import type { ReportWarehouse } from '../../ports.ts';
import type { MoneyRates, PaidIn } from '../query.ts';
import { createBindings } from '../sql/rows.ts';

/** The warehouse's exchange rates for the currencies needed so far. */
export interface KnownRates {
  /**
   * The rates needed for a site's payments.
   *
   * - `version`: which rates the warehouse has now; those of another version are read again.
   */
  find(
    warehouse: Pick<ReportWarehouse, 'select'>,
    own: string,
    which: { readonly paidIn: readonly PaidIn[]; readonly version: string },
  ): Promise<MoneyRates>;
}

/** No rates are known yet. */
export function createKnownRates(): KnownRates {
  let known = { version: '', spansByCurrency: new Map<string, readonly RateSpan[]>() };
  return {
    async find(warehouse, own, { paidIn, version }) {
      const foreign = paidIn.filter(({ currency }) => currency !== own);
      if (foreign.length === 0) return { foreign: [], own: { currency: own, spans: [] } };
      if (known.version !== version) known = { version, spansByCurrency: new Map() };
      const { spansByCurrency } = known;
      const needed = [own, ...foreign.map(({ currency }) => currency)];
      const unknown = needed.filter((currency) => !spansByCurrency.has(currency));
      for (const [currency, spans] of unknown.length > 0 ? await read(warehouse, unknown) : []) {
        spansByCurrency.set(currency, spans);
      }
      const paidFrom = Math.min(...foreign.map((money) => money.paidFrom));
      const paidTo = Math.max(...foreign.map((money) => money.paidTo));
      // A day in the site's zone may be the one before or after.
      const isNear = ({ startsOn, endsOn }: RateSpan) =>
        endsOn >= paidFrom - 1 && startsOn <= paidTo + 1;
      const ratesOf = (currency: string) => {
        return { currency, spans: spansByCurrency.get(currency)?.filter(isNear) ?? [] };
      };
      return {
        foreign: foreign.map((money) => ({ ...money, ...ratesOf(money.currency) })),
        own: ratesOf(own),
      };
    },
  };
}

/** Currencies without rates have no spans. */
async function read(
  warehouse: Pick<ReportWarehouse, 'select'>,
  currencies: readonly string[],
): Promise<[currency: string, spans: readonly RateSpan[]][]> {
  const { bind, params } = createBindings();
  const rows = await warehouse.select<RatesRow>({
    sql: `SELECT currency, arrayMap(
        (starts_on, ends_on, rate) -> (toUInt16(starts_on), toUInt16(ends_on), rate * toInt64(exp10(exponent))),
        starts_on, ends_on, per_euro) AS spans
      FROM rates FINAL WHERE currency IN ${bind(currencies, 'Array(String)')}`,
    params,
  });
  return currencies.map((currency) => {
    const found = rows.find((row) => row.currency === currency)?.spans ?? [];
    const spans = found.map(([startsOn, endsOn, perEuro]) => {
      return { startsOn, endsOn, perEuro: Number(perEuro) };
    });
    return [currency, spans];
  });
}

type RatesRow = {
  readonly currency: string;
  readonly spans: readonly (readonly [startsOn: number, endsOn: number, perEuro: string])[];
};

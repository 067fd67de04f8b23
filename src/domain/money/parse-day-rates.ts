import { ok, type Result, refuse } from '../result.ts';
import { findCurrency } from './currencies.ts';
import type { ExchangeRates } from './exchange-rates.ts';

const DAY_MS = 86_400_000;
const MILLION = 1_000_000;

/**
 * Parses the rates of one day in many currencies: `{"date": "2026-09-29", "eur": {"ngn": 1790.5, …}}`. The base may be
 * any currency whose rates include the euro. What is no currency of payments is left out.
 *
 * - Refuses text of another shape.
 * - Source: https://github.com/fawazahmed0/exchange-api, `currencies/eur.json`.
 */
export function parseDayRates(text: string): Result<ExchangeRates, string> {
  const { date, ...bases } = toObject(text);
  const [[base, rates] = ['', undefined]] = Object.entries(bases);
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  const values = { ...(typeof rates === 'object' ? rates : {}), [base]: 1 };
  const perBase = new Map(
    Object.entries(values).map(([code, value]) => [code.toUpperCase(), Number(value)] as const),
  );
  const euro = perBase.get('EUR') ?? 0;
  if (!Number.isInteger(day) || !(euro > 0) || perBase.size < 2) {
    return refuse('Rates of one day begin like {"date": "2026-09-29", "eur": {"usd": 1.17');
  }
  const perEuro = [...perBase]
    .map(([code, value]) => [code, Math.round((value / euro) * MILLION)] as const)
    .filter(([code, rate]) => findCurrency(code) && rate > 0 && Number.isSafeInteger(rate));
  const perEuroByCode = new Map(perEuro.map(([code, rate]) => [code, new Map([[day, rate]])]));
  return ok({ days: [day], perEuroByCode });
}

function toObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

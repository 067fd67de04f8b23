import { addMoney, type Shown } from '#contract/rows/add-money.ts';
import type { MoneyPlace } from '#domain/money/rates/convert-money.ts';
import type { Converting } from '#domain/money/rates/describe-converting.ts';
import type { RateSpan } from '#domain/money/rates/exchange-rates.ts';
import type { Sql } from '#storage/sql/sql.ts';
import type { PaymentPlace, PaymentScope } from './find-payments.ts';
import { projectPayment, type RecordedPayment } from './project-payment.ts';

/** The exchange rates, which may change at any time. */
export interface KnownRates {
  /** Identifies what they are now. */
  digest(): string;
  /** The first day whose rates differ from those with this digest; 0 if that is not known. */
  changedSince(digest: string): number;
  spansOf(code: string): readonly RateSpan[];
}

/** What the money of a site's rows in the warehouse depends on. */
export type Terms = {
  readonly currency: string;
  readonly timezone: string;
  readonly rates: string;
};

/** A walk through a site's payments, by the instant of each and its id, and then its costs, that converts them for other terms. */
export type MoneyWalk = PaymentPlace &
  Converting & {
    readonly to: Terms;
    readonly scope: PaymentScope;
    /** The last cost, after all payments. */
    readonly costId?: number;
  };

/** The terms of a site's rows, of which reports read one place; without any, they are from before there were terms. */
export type SiteProjection = Partial<Terms & Readonly<{ place: MoneyPlace; walk: MoneyWalk }>>;

/** A site's own currency and time zone, and how its rows are. */
export type ProjectedSite = Pick<Terms, 'currency' | 'timezone'> & {
  readonly id: string;
  readonly projection: SiteProjection;
};

/** All sites, removed ones too. */
export async function readProjectedSites(sql: Sql): Promise<ProjectedSite[]> {
  const rows = await sql.all('SELECT id, currency, timezone, projection FROM sites');
  return rows.map(({ id, currency, timezone, projection }) => ({
    ...{ id: String(id), currency: String(currency), timezone: String(timezone) },
    projection: JSON.parse(String(projection)),
  }));
}

/** Whether all rows of a site have money on these terms. */
export function isOn({ projection }: Pick<ProjectedSite, 'projection'>, terms: Terms): boolean {
  const { currency, timezone, rates } = projection;
  return currency === terms.currency && timezone === terms.timezone && rates === terms.rates;
}

/** Creates the function that makes the warehouse's rows of a payment, with the money of its site. */
export async function createToRows(sql: Sql, { spansOf }: Pick<KnownRates, 'spansOf'>) {
  const shownById = await readShown(sql);
  return (payment: RecordedPayment): object[] =>
    addMoney(
      projectPayment(payment),
      shownById.get(payment.siteId) ?? [],
      spansOf,
      payment.record.providerRate,
    );
}

/** In which currencies rows of each site have money. */
export async function readShown(sql: Sql): Promise<ReadonlyMap<string, Shown>> {
  const sites = await readProjectedSites(sql);
  return new Map(sites.map((site) => [site.id, toShown(site)]));
}

function toShown({ currency, timezone, projection }: ProjectedSite): Shown {
  const { currency: read = currency, place = 0 } = projection;
  const now = { currency: read, timezone, place };
  return read === currency ? [now] : [now, { currency, timezone, place: place === 0 ? 1 : 0 }];
}

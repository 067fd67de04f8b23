import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { PersonsAnswer } from '#contract/people.ts';
import { NONE } from '#domain/row-labels.ts';
import type { ExportedRow } from './page-statement.ts';

/** A payment as a row of an export. The source and channel are those of the first credited visit. */
export function toPaymentRow({
  amount,
  refunded,
  refunds,
  credited,
  ...payment
}: ListedPayment): ExportedRow {
  return {
    ...payment,
    ...{ amount: amount.value, currency: amount.currency, refunded: refunded.value },
    refunded_at: refunds
      .map((refund) => refund.refunded_at)
      .toSorted()
      .at(-1),
    ...{ channel: credited?.first.channel, source: credited?.first.source },
    credited_visits: credited?.visits ?? 0,
  };
}

/** A person as a row of an export, with the first visit ever and the place and device of the latest. */
export function toPersonRow(person: PersonsAnswer['results'][number]): ExportedRow {
  const { revenue, first_visit: first, latest_visit: latest, ...rest } = person;
  const known = (value?: string) => (value === NONE ? undefined : value);
  const { country, region, city, device, browser, os } = latest ?? {};
  return {
    ...rest,
    ...{ revenue: revenue.value, currency: revenue.currency },
    first_channel: known(first?.channel),
    first_source: known(first?.source),
    first_campaign: known(first?.campaign),
    ...{ country: known(country), region: known(region), city: known(city) },
    ...{ device: known(device), browser: known(browser), os: known(os) },
  };
}

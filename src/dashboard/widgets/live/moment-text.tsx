import type { LiveEvent, LivePayment } from '#contract/live.ts';
import { nameCountry } from '../../format/countries.ts';
import { formatExactMoney } from '../../format/numbers.ts';
import { nameDevice } from '../panels/names.ts';

/** A payment or refund in words. */
export function Paid({ paid }: { readonly paid: LivePayment }) {
  const label = paid.type === 'refund' ? 'Refund' : paid.renewal ? 'Renewal' : 'Payment';
  return (
    <>
      <b>
        {label} {formatExactMoney(paid.amount)}
      </b>
      {paid.product && <small>{paid.product}</small>}
    </>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  outbound: 'Left for ',
  download: 'Downloaded ',
};

/** A pageview or goal in words, and who did it, if known. */
export function Done({ done }: { readonly done: LiveEvent }) {
  const { type, page, goal, source, country, city, device, browser } = done;
  const place = [city, country && nameCountry(country)].filter(Boolean).join(', ');
  const about = [type === 'goal' && page, source, place, device && nameDevice(device), browser];
  return (
    <>
      {type === 'goal' ? (
        <b>{goal}</b>
      ) : (
        <span>{`${VERBS[type] ?? ''}${goal ?? page ?? type}`}</span>
      )}
      <small>{about.filter(Boolean).join(' · ')}</small>
    </>
  );
}

import type { LiveEvent, LivePayment } from '#contract/live.ts';
import { nameCountry } from '../../format/countries.ts';
import { formatExactMoney } from '../../format/numbers.ts';
import { showPath } from '../../format/paths.ts';
import { nameValue } from '../../format/values.ts';

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
  const shownPage = page && showPath(page);
  const shownDevice = device && nameValue('visit:device', device);
  const about = [type === 'goal' && shownPage, source, place, shownDevice, browser];
  return (
    <>
      {type === 'goal' ? (
        <b>{goal}</b>
      ) : (
        <span>{`${VERBS[type] ?? ''}${goal ?? shownPage ?? type}`}</span>
      )}
      <small>{about.filter(Boolean).join(' · ')}</small>
    </>
  );
}

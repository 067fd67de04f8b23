import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { PersonsAnswer } from '#contract/people.ts';
import type { Money } from '#contract/query-fields.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { showPath } from '#domain/visit/paths.ts';
import { useView } from '../../address/address.ts';
import { withTexts } from '../../address/params.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { toAttribution, toCredit } from '../../api/query.ts';
import { formatInstant } from '../../format/dates.ts';
import { modelOf } from '../../format/models.ts';
import { formatExactMoney, formatNoun, toNumber } from '../../format/numbers.ts';
import { Card, CardHead, DividedList, Inline, Inset, Words, wordsClass } from '../../ui/layout.tsx';
import { EmptyNote, Loaded } from '../../ui/loaded.tsx';
import { ModelChoice } from '../bar/bar.tsx';
import { findPayment, type Touch, type TouchesAround, toPath } from './path.ts';

type PaymentPathProps = {
  readonly payment: ListedPayment;
  /** Follows once the path is there, because its height is unknown before. */
  readonly children: ReactNode;
};

/** The visits before a payment, and their credit under the chosen model. */
export function PaymentVisits({ payment, children }: PaymentPathProps) {
  const [view, change] = useView();
  const { lookback_days: days } = toAttribution(view);
  const story = useStory(payment, toCredit(view));
  const path = (
    <Card aria-label="Path to this payment">
      <CardHead>
        <h2>Path to this payment</h2>
        <ModelChoice
          name="Model"
          value={view.model}
          onChoose={(model) => change({ model }, { replace: true })}
        />
      </CardHead>
      <Inset>
        <Words as="p" look="soft" style={{ paddingBottom: 12 }}>
          {modelOf(view.model).meaning}
          {toNumber(payment.refunded) > 0 && ' The shares are after refunds.'}
        </Words>
      </Inset>
      <Loaded of={story} {...{ height: 136, isInset: true }}>
        {(found) => {
          const path = found && toPath(found, payment.transaction_id, days);
          if (!path?.before.length || payment.state === 'voided') {
            return <NoPath payment={payment} days={days} story={found} />;
          }
          return (
            <DividedList as="ol" isInset>
              {path.before.map(toTouchLine)}
              <MoneyLine what="Paid" at={payment.paid_at} amount={payment.amount} />
              <Afterwards payment={payment} after={path.after} />
            </DividedList>
          );
        }}
      </Loaded>
    </Card>
  );
  return (
    <>
      {path}
      {!story.isPending && children}
    </>
  );
}

function NoPath(props: {
  readonly payment: ListedPayment;
  readonly days: number | null;
  readonly story: StoryAnswer | null;
}) {
  const { payment, days, story } = props;
  if (payment.state === 'voided') {
    return <EmptyNote>The payment is voided, so no visit is credited.</EmptyNote>;
  }
  const isUnderway = story && !findPayment(story, payment.transaction_id);
  if (isUnderway && payment.state === 'attributed') {
    return <EmptyNote>The path appears here in a few seconds.</EmptyNote>;
  }
  const window = days === null ? '' : ` in the ${days === 1 ? 'day' : `${days} days`}`;
  return <EmptyNote>No visits are known{window} before this payment.</EmptyNote>;
}

/** How many visits after a payment are shown. */
const AFTER_MAX = 20;

type AfterwardsProps = Pick<TouchesAround, 'after'> & { readonly payment: ListedPayment };

/** The refunds of a payment, among the visits after it. */
function Afterwards({ payment, after }: AfterwardsProps) {
  const lines = [
    ...payment.refunds.map(({ transaction_id: id, refunded_at: at, amount, disputed }) => {
      const what = disputed ? 'Disputed' : 'Refunded';
      return { at, line: <MoneyLine key={`${id} ${at}`} {...{ what, at, amount }} /> };
    }),
    ...after.slice(0, AFTER_MAX).map((touch) => ({ at: touch.at, line: toTouchLine(touch) })),
  ];
  const more = after.length - AFTER_MAX;
  return (
    <>
      {lines.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ line }) => line)}
      {more > 0 && <li>{formatNoun(more, 'later visit')}</li>}
    </>
  );
}

type MoneyLineProps = { readonly what: string; readonly at: string; readonly amount: Money };

function MoneyLine({ what, at, amount }: MoneyLineProps) {
  const { timezone } = useSite();
  return (
    <PathLine
      name={<b>{what}</b>}
      about={formatInstant(at, timezone)}
      look={what === 'Paid' ? 'good' : 'bad'}
      amount={formatExactMoney(amount)}
    />
  );
}

const toTouchLine = (touch: Touch) => (
  <TouchLine key={`${touch.visit.visit_id} ${touch.at}`} touch={touch} />
);

/** A touch before the payment, and its share of it. A direct visit's source says no more than its channel. */
function TouchLine({ touch }: { readonly touch: Touch }) {
  const { timezone } = useSite();
  const { values, visit, isFirst, share } = touch;
  const { pageviews } = visit;
  const entry = `${showPath(visit.values.entry_page ?? '')} · ${formatNoun(pageviews, 'page')}`;
  return (
    <PathLine
      name={
        <>
          <b>{values.channel}</b> {values.source !== values.channel && values.source}
          {values.campaign !== '(none)' && ` · ${values.campaign}`}
        </>
      }
      about={`${formatInstant(touch.at, timezone)} · ${isFirst ? entry : 'later in the same visit'}`}
      look={share ? 'good' : 'soft'}
      amount={share ? formatExactMoney(share) : '–'}
    />
  );
}

type PathLineProps = Readonly<Record<'name' | 'about' | 'amount', ReactNode>> & {
  readonly look: 'good' | 'bad' | 'soft';
};

function PathLine({ name, about, look, amount }: PathLineProps) {
  return (
    <Inline as="li" gap={16} isSpread style={{ flexWrap: 'nowrap' }}>
      <div className={wordsClass('broken')}>
        {name}
        <Words as="p" look={['soft', 'small']}>
          {about}
        </Words>
      </div>
      <Words look={[look, 'bold']}>{amount}</Words>
    </Inline>
  );
}

/** The most visits shown for a person. */
const VISITS_MAX = '200';
/** A payment whose visitor was just set reaches its person's story after a moment. */
const LOOK_AGAIN_MS = 1_000;
const LOOKS_MAX = 20;

function useStory(payment: ListedPayment, credit: URLSearchParams) {
  const { id: site, domain } = useSite();
  const { service_visitor_id: visitor, customer_id: customer, email, state } = payment;
  return useQuery<StoryAnswer | null>({
    queryKey: [site, 'payments', payment.transaction_id, 'path', `${credit}`, visitor, state],
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const isUnderway = data && findPayment(data, payment.transaction_id) === undefined;
      return isUnderway && dataUpdateCount <= LOOKS_MAX ? LOOK_AGAIN_MS : false;
    },
    queryFn: async ({ signal }) => {
      if (state === 'unseen_visitor') return null;
      const params = withTexts(credit, { limit: VISITS_MAX });
      const options = { site, signal };
      if (visitor !== undefined) {
        const path = `/api/v1/visitors/${encodeURIComponent(visitor)}/story?${params}`;
        return request<StoryAnswer>(path, options);
      }
      const search = customer ?? email;
      if (search === undefined) return null;
      // Without a visitor: the customer may be known from elsewhere.
      const body = { site_id: domain, date_range: 'all', search, pagination: { limit: 2 } };
      const found = await request<PersonsAnswer>('/api/v1/query/persons', { ...options, body });
      const [person, another] = found.results.map((each) => each.person_id);
      if (person === undefined || another !== undefined) return null;
      const path = `/api/v1/persons/${encodeURIComponent(person)}?${params}`;
      return request<StoryAnswer>(path, options);
    },
  });
}

import { Link } from 'wouter';
import { readable, useParams, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { useAnswer } from '../../api/query.ts';
import { toNumber } from '../../format/numbers.ts';
import { Bones } from '../../ui/note.tsx';
import styles from './proposals.module.css';
import { proposeFunnels } from './propose-funnels.ts';
import { type FunnelStep, NO_FUNNEL, nameStep, writeFunnel, writeStep } from './steps.ts';
import { useValues } from './suggestions.ts';

/** Starter funnels, made from the site's own pages and goals. */
export function Proposals({ view }: { readonly view: View }) {
  const pages = useValues(view, 'event:page', '', 6);
  const goals = useValues(view, 'event:goal', '', 6);
  const payments = useAnswer({ ...view, filters: [] }, { metrics: ['payments'] });
  const error = pages.error ?? goals.error ?? payments.error;
  if (error !== null) return <p role="alert">No proposals: {error.message}</p>;
  if (!pages.values || !goals.values || !payments.data) return <Bones height={144} />;
  const proposals = proposeFunnels({
    pages: pages.values,
    goals: goals.values,
    hasPayments: toNumber(payments.data.results[0]?.metrics[0] ?? 0) > 0,
  });
  if (proposals.length === 0) return null;
  return (
    <>
      <h2 className={styles.heading}>Or start with one of these</h2>
      <ul className={styles.proposals}>
        {proposals.map((steps) => (
          <li key={steps.map(writeStep).join()}>
            <Proposal steps={steps} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Proposal({ steps }: { readonly steps: readonly FunnelStep[] }) {
  const { domain } = useSite();
  const [params] = useParams();
  const search = readable(writeFunnel({ ...NO_FUNNEL, steps }, params));
  return (
    <Link to={`/${domain}/funnels?${search}`} className={styles.proposal}>
      {steps.map((step, at) => (
        <span key={writeStep(step)} className={styles.step}>
          {at > 0 && <span className={styles.arrow}>→ </span>}
          {nameStep(step)}
        </span>
      ))}
    </Link>
  );
}

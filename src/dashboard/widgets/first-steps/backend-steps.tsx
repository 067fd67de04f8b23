import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { VisitorsAnswer } from '#contract/people.ts';
import type { MadeKeyAnswer } from '#contract/sites/keys.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copied-text.tsx';
import { Card, Stack, Words } from '../../ui/layout.tsx';
import { SnippetTabs, toGoalSnippets, toPaymentSnippets } from './snippet-tabs.tsx';

/** How a backend reports payments and goals, with a key for it, and a payment to try it with. */
export function BackendSteps() {
  const { currency, role, domain } = useSite();
  const { origin } = location;
  return (
    <Stack>
      {role === 'owner' && (
        <p>
          A <Link to={`/${domain}/settings/providers`}>connected payment provider</Link> reports its
          payments by itself.
        </p>
      )}
      {role === 'viewer' ? <p>An admin of the site creates the key for this.</p> : <NewKey />}
      <SnippetTabs name="Payment" snippets={toPaymentSnippets({ origin, currency })} />
      <p>Goals that no page shows, such as a sign-up, are reported in the same way:</p>
      <SnippetTabs name="Goal" snippets={toGoalSnippets({ origin })} />
      {role !== 'viewer' && <TestPayment />}
    </Stack>
  );
}

/** How often, and how long, a test payment is looked for. */
const LOOK_AGAIN_MS = 1_000;
const LOOKS_MAX = 15;

/** A button that reports a payment of the latest visitor, shows what becomes of it, and voids it. */
function TestPayment() {
  const { id: site, domain, currency } = useSite();
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: async () => {
      const latest = { site_id: domain, date_range: 'all', pagination: { limit: 1 } };
      const { results } = await request<VisitorsAnswer>('/api/v1/query/visitors', {
        ...{ site, body: latest },
      });
      const visitor = results[0]?.service_visitor_id;
      if (visitor === undefined) throw new Error('Open a page of the site first.');
      const id = `test-${Date.now()}`;
      await request('/api/v1/payments', {
        site,
        body: { transaction_id: id, amount: 1, currency, service_visitor_id: visitor },
      });
      const found = await waitForCredit(site, id);
      await request(`/api/v1/payments/${id}`, { site, method: 'DELETE' });
      return found;
    },
    onSettled: () => client.invalidateQueries({ queryKey: [site] }),
  });
  const { credited } = test.data ?? {};
  return (
    <div>
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        Send a test payment
      </Button>
      <p role="status">
        {test.isPending && 'Sent; waiting for its source …'}
        {test.data &&
          (credited
            ? `It arrived and was attributed to ${credited.first.source} (${credited.first.channel}). It is voided again, and excluded from all reports.`
            : 'It arrived, but no visit could be credited. It is voided again.')}
      </p>
      {test.error && <p role="alert">{test.error.message}</p>}
    </div>
  );
}

async function waitForCredit(site: string, id: string): Promise<ListedPayment> {
  for (let look = 1; ; look++) {
    const found = await request<ListedPayment>(`/api/v1/payments/${id}`, { site });
    if (found.credited !== undefined || look === LOOKS_MAX) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const BACKEND_SCOPES = ['goals:write', 'payments:write', 'events:write'] as const;

/** A button that creates a backend's key and shows it once. */
function NewKey() {
  const made = useChangeOfSite<MadeKeyAnswer>();
  if (made.data !== undefined) {
    return (
      <ShownOnce text={made.data.key} name="The new key">
        Copy it now: it is not shown again. Put it into <code>TRIBUTARY_KEY</code> of your backend.
      </ShownOnce>
    );
  }
  return (
    <div>
      <Button
        disabled={made.isPending}
        onClick={() =>
          made.mutate({
            ...{ method: 'POST', path: '/keys' },
            body: { name: 'Backend', scopes: BACKEND_SCOPES },
          })
        }
      >
        Create a key for the backend
      </Button>
      {made.error && <p role="alert">{made.error.message}</p>}
    </div>
  );
}

/** What payments would add to the figures of a site without any, and how to report them. */
export function RevenueOffer() {
  return (
    <Card isPadded style={{ marginTop: 16 }}>
      <details>
        <summary>
          <Words look="soft">
            With payments, every row here also shows its revenue, and who pays after which visit:
          </Words>{' '}
          <Words look="link">report payments</Words>
        </summary>
        <BackendSteps />
      </details>
    </Card>
  );
}

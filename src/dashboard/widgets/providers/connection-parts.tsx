import type { ConnectionTest } from '#contract/sites/providers.ts';
import { useChangeOfSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { Inline, Stack, TickLine, Words } from '../../ui/layout.tsx';
import { type ShownConnection, toState } from './connection-state.ts';

/** How a connection is: words, and a dot in their colour. */
export function StateWords({ connection }: { readonly connection: ShownConnection }) {
  const { mood, label } = toState(connection);
  return <Words look={['dot', mood]}>{label}</Words>;
}

/** What each step of a test proves. */
const STEPS: Readonly<Record<string, string>> = {
  secret: 'The connection has a signing secret',
  forged: 'A wrong signature is refused',
  signed: 'A right signature is accepted',
  again: 'The same event again is accepted, and counts once',
  inbox: 'The event is kept, and left out of all figures',
};

/** Sends a signed sample through the webhook's address, and shows each step. */
export function TestButton({ connection }: { readonly connection: ShownConnection }) {
  const { data, error, isPending, mutate } = useChangeOfSite<ConnectionTest>();
  const path = `/providers/${connection.id}/test`;
  return (
    <Stack>
      <Inline gap={12}>
        <Button
          disabled={isPending || connection.missing.length > 0}
          onClick={() => mutate({ method: 'POST', path })}
        >
          Send a test event
        </Button>
        <Words look="soft">It is signed, goes the same way, and counts nowhere.</Words>
      </Inline>
      {error && <p role="alert">{error.message}</p>}
      <div role="status">
        {data && (
          <Stack as="ul" gap={8} aria-label="Steps of the test">
            {data.steps.map(({ step, ok, found }) => (
              <li key={step}>
                <TickLine isGood={ok}>{ok ? (STEPS[step] ?? step) : found}</TickLine>
              </li>
            ))}
          </Stack>
        )}
      </div>
    </Stack>
  );
}

import { Link } from 'wouter';
import type { ConnectionTest } from '#contract/sites/providers.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Inline, Stack, TickLine, Words } from '../../ui/layout.tsx';
import {
  type ShownConnection,
  toState,
  useProviders,
  useProvidersPath,
} from './connection-state.ts';

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
        <Words look="soft">
          It is signed, takes the same path, and is excluded from all reports.
        </Words>
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

/** How payments of a connected provider get their visitor: the line that carries its id. */
export function ProviderRemedy({ provider }: { readonly provider: string }) {
  const { role } = useSite();
  if (role === 'owner') return <OwnersRemedy provider={provider} />;
  return (
    <p>
      Its provider’s events carry no visitor id. The line to add is in Settings → Payment providers,
      for owners.
    </p>
  );
}

function OwnersRemedy({ provider: name }: { readonly provider: string }) {
  const { data } = useProviders();
  const pathOf = useProvidersPath();
  const provider = data?.providers.find((each) => each.name === name);
  if (provider === undefined) return null;
  const { title, visitor_line: line, steps } = provider;
  const connection = data?.connections.find((each) => each.provider === name);
  return (
    <Stack>
      <p>
        The events of {title} carry no visitor id for it: add one line. {steps.at(-1)?.text}
      </p>
      <CopiedText text={line} name="The line" />
      <Link to={pathOf(connection?.id)}>The connection</Link>
    </Stack>
  );
}

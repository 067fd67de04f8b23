import { Link } from 'wouter';
import { useSite } from '../../api/account.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useProviders, useProvidersPath } from './connection-state.ts';

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

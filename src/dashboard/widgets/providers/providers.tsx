import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { ProviderConnectionDetails } from '#contract/sites/providers.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { formatSeen } from '../../format/dates.ts';
import { formatWhole } from '../../format/numbers.ts';
import { boxClass, buttonClass } from '../../ui/button.tsx';
import { Columns, Inline, Section, Soft, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { EmptyNote, Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { ConnectionPage } from './connection-page.tsx';
import { StateWords } from './connection-parts.tsx';
import {
  type KnownProvider,
  type ShownConnection,
  useProviders,
  useProvidersPath,
  WAITING_MS,
} from './connection-state.ts';

/** The site's connections to payment providers: all of them, the choice of another, or one. */
export function Providers() {
  const { item = '' } = useParams<{ readonly item?: string }>();
  const answer = useProviders(item === '' ? undefined : WAITING_MS);
  return (
    <Loaded of={answer} height={240}>
      {(found) => <Shown item={item} {...found} />}
    </Loaded>
  );
}

function Shown({ item, connections, providers }: ListProps & { readonly item: string }) {
  if (item === 'new') return <ChooseProvider providers={providers} />;
  if (item === '') return <ConnectionList {...{ connections, providers }} />;
  const connection = connections.find(({ id }) => id === item);
  const provider = providers.find(({ name }) => name === connection?.provider);
  if (connection === undefined || provider === undefined) return <NoConnection />;
  return <ConnectionPage key={item} {...{ connection, provider }} />;
}

function NoConnection() {
  const pathOf = useProvidersPath();
  return (
    <EmptyNote>
      This connection does not exist any more. <Link to={pathOf()}>All connections</Link>
    </EmptyNote>
  );
}

type ListProps = {
  readonly connections: readonly ShownConnection[];
  readonly providers: readonly KnownProvider[];
};

function ConnectionList({ connections, providers }: ListProps) {
  const { timezone } = useSite();
  const pathOf = useProvidersPath();
  const titleOf = (name: string) => providers.find((each) => each.name === name)?.title ?? name;
  const columns: readonly Column<ShownConnection>[] = [
    textColumn('Connection', ({ id, name, provider }) => (
      <Inline style={{ flexWrap: 'nowrap' }}>
        <Mark name={titleOf(provider)} />
        <Stack gap={0}>
          <Link to={pathOf(id)} className={wordsClass('link')}>
            {name}
          </Link>
          {name !== titleOf(provider) && (
            <Words look={['soft', 'small']}>{titleOf(provider)}</Words>
          )}
        </Stack>
      </Inline>
    )),
    textColumn('State', (connection) => <StateWords connection={connection} />),
    textColumn({ label: 'Last event', isWide: true }, ({ last_event_at: at }) =>
      at === null ? 'Never' : formatSeen(at, timezone),
    ),
    numberColumn(
      { label: 'Visitors found', isWide: true },
      ({ payments: { all, without_visitor: unknown } }) =>
        all === 0 ? '–' : `${formatWhole(all - unknown)} of ${formatWhole(all)}`,
    ),
  ];
  return (
    <Section title="Payment providers">
      <Soft>
        Payments, renewals, refunds and disputes of a connected provider track themselves.
      </Soft>
      {connections.length > 0 && (
        <Table
          {...{ label: 'Connections', columns, rows: connections, look: 'plain' }}
          keyOf={({ id }) => id}
        />
      )}
      <div>
        <Link to={pathOf('new')} className={buttonClass('primary')}>
          {connections.length === 0 ? 'Connect a provider' : 'Connect another'}
        </Link>
      </div>
    </Section>
  );
}

/** A click makes the connection: its address is needed for the first step. */
function ChooseProvider({ providers }: Pick<ListProps, 'providers'>) {
  const [, navigate] = useLocation();
  const pathOf = useProvidersPath();
  const made = useChangeOfSite<ProviderConnectionDetails>();
  const [chosen, setChosen] = useState<string>();
  const connect = (provider: string) => {
    setChosen(provider);
    made.mutate(
      { method: 'POST', path: '/providers', body: { provider } },
      { onSuccess: ({ id }) => navigate(pathOf(id)) },
    );
  };
  return (
    <Section title="Connect a payment provider">
      <Link to={pathOf()} className={wordsClass('soft', 'small', 'back')}>
        ← Payment providers
      </Link>
      <Columns as="ul" least={180} gap={8}>
        {providers.map(({ name, title }) => (
          <li key={name}>
            <button
              type="button"
              className={boxClass()}
              disabled={made.isPending}
              aria-busy={made.isPending && chosen === name}
              onClick={() => connect(name)}
            >
              <Mark name={title} /> {title}
            </button>
          </li>
        ))}
      </Columns>
      {made.error && <p role="alert">{made.error.message}</p>}
    </Section>
  );
}

/** The first letter of a name: providers' logos are theirs. */
function Mark({ name }: { readonly name: string }) {
  return (
    <Words look="badge" aria-hidden="true">
      {name.charAt(0)}
    </Words>
  );
}

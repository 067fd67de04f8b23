import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { ProviderConnectionDetails } from '#contract/sites/providers.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatSeen } from '../../format/instants.ts';
import { formatWhole } from '../../format/numbers.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { EmptyNote, Unloaded } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import settings from '../settings/settings.module.css';
import { ConnectionPage } from './connection-page.tsx';
import styles from './providers.module.css';
import { StateWords } from './state-words.tsx';
import {
  type KnownProvider,
  type ShownConnection,
  useProviders,
  useProvidersPath,
  WAITING_MS,
} from './use-providers.ts';

/** The site's connections to payment providers: all of them, the choice of another, or one. */
export function Providers() {
  const { item = '' } = useParams<{ readonly item?: string }>();
  const { data, error, refetch } = useProviders(item === '' ? undefined : WAITING_MS);
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={240} />;
  const { connections, providers } = data;
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
    {
      ...{ name: 'name', label: 'Connection' },
      cell: ({ id, name, provider }) => (
        <Link to={pathOf(id)} className={styles.named}>
          <Mark name={titleOf(provider)} />
          <span>
            {name}
            {name !== titleOf(provider) && <small>{titleOf(provider)}</small>}
          </span>
        </Link>
      ),
    },
    {
      ...{ name: 'state', label: 'State' },
      cell: (connection) => <StateWords connection={connection} />,
    },
    {
      ...{ name: 'seen', label: 'Last event', isWide: true },
      cell: ({ last_event_at: at }) => (at === null ? 'Never' : formatSeen(at, timezone)),
    },
    {
      ...{ name: 'found', label: 'Visitors found', isNumber: true, isWide: true },
      cell: ({ payments: { all, without_visitor: unknown } }) =>
        all === 0 ? '–' : `${formatWhole(all - unknown)} of ${formatWhole(all)}`,
    },
  ];
  return (
    <Section title="Payment providers">
      <p className={settings.soft}>
        Payments, renewals, refunds and disputes of a connected provider track themselves.
      </p>
      {connections.length > 0 && (
        <div className={styles.list}>
          <Table {...{ label: 'Connections', columns, rows: connections }} keyOf={({ id }) => id} />
        </div>
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
      <Link to={pathOf()} className={styles.back}>
        ← Payment providers
      </Link>
      <ul className={styles.choices}>
        {providers.map(({ name, title }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.choice}
              disabled={made.isPending}
              aria-busy={made.isPending && chosen === name}
              onClick={() => connect(name)}
            >
              <Mark name={title} /> {title}
            </button>
          </li>
        ))}
      </ul>
      {made.error && <p role="alert">{made.error.message}</p>}
    </Section>
  );
}

/** The first letter of a name: providers' logos are theirs. */
function Mark({ name }: { readonly name: string }) {
  return (
    <span className={styles.mark} aria-hidden="true">
      {name.charAt(0)}
    </span>
  );
}

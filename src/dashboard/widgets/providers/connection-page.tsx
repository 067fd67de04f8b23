import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ProviderWalk } from '#contract/sites/providers.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section, Soft, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { ConnectSteps } from './connect-steps.tsx';
import { ConnectionEvents } from './connection-events.tsx';
import { ConnectionFields, FieldMapping, splitFields } from './connection-fields.tsx';
import { StateWords, TestButton } from './connection-parts.tsx';
import {
  type ConnectionProps,
  describePayments,
  toState,
  useProvidersPath,
} from './connection-state.ts';

/** One connection: the steps until its first event, then what came of its events. */
export function ConnectionPage({ connection, provider }: ConnectionProps) {
  const [isSettingUp, setSettingUp] = useState(connection.last_event_at === null);
  const { mapping } = splitFields(provider.fields);
  return (
    <>
      <Head connection={connection} provider={provider}>
        {!isSettingUp && (
          <Button size="small" onClick={() => setSettingUp(true)}>
            Show the steps
          </Button>
        )}
      </Head>
      {isSettingUp ? (
        <>
          <ConnectSteps {...{ connection, provider }} onDone={() => setSettingUp(false)} />
          {connection.history && <ConnectionHistory {...{ connection, provider }} />}
        </>
      ) : (
        <>
          <ConnectionEvents connection={connection} />
          <ConnectionHistory {...{ connection, provider }} />
          <Section title="Test">
            <TestButton connection={connection} />
          </Section>
          {mapping.length > 0 && (
            <Section title="What its fields mean">
              <FieldMapping {...{ connection, provider }} />
            </Section>
          )}
          <Section title="Name, secrets and settings">
            <Soft>
              Secrets are never shown. A signing secret that you replace is accepted for 24 more
              hours.
            </Soft>
            <ConnectionFields {...{ connection, provider }} action="Save" hasName />
            {provider.has_token && <NewToken connection={connection} />}
          </Section>
        </>
      )}
      <Disconnect connection={connection} />
    </>
  );
}

function Head(props: ConnectionProps & { readonly children: ReactNode }) {
  const { connection, provider, children } = props;
  const { timezone } = useSite();
  const pathOf = useProvidersPath();
  const { advice } = toState(connection);
  const at = connection.last_event_at;
  return (
    <Section title={connection.name}>
      <Link to={pathOf()} className={wordsClass('soft', 'small', 'back')}>
        ← Payment providers
      </Link>
      <Stack gap={8} role="status">
        <p>
          <StateWords connection={connection} />
          {at !== null && ` · last event ${formatInstant(at, timezone)}`}
          {connection.name !== provider.title && ` · ${provider.title}`}
        </p>
        {advice !== undefined && <p>{advice}</p>}
        {connection.overlap !== null && <p>{connection.overlap}</p>}
        {(at !== null || connection.payments.all > 0) && (
          <Soft>{describePayments(connection.payments)}</Soft>
        )}
      </Stack>
      {at !== null && <CopiedText text={connection.webhook_url} name="The webhook’s address" />}
      {children && <div>{children}</div>}
    </Section>
  );
}

/** Replaces the address of a provider that signs nothing, in case somebody else has seen it. */
function NewToken({ connection: { id, name } }: Pick<ConnectionProps, 'connection'>) {
  const { mutateAsync } = useChangeOfSite();
  const body = { new_token: true };
  return (
    <ConfirmButton
      {...{ label: 'Make a new address', title: `A new address for ${name}?`, action: 'Make it' }}
      onConfirm={() => mutateAsync({ method: 'PATCH', path: `/providers/${id}`, body })}
    >
      <p>
        Paste it at the provider within 24 hours: until then, events are accepted at both addresses.
      </p>
    </ConfirmButton>
  );
}

function Disconnect({ connection: { id, name } }: Pick<ConnectionProps, 'connection'>) {
  const [, navigate] = useLocation();
  const pathOf = useProvidersPath();
  const { mutateAsync } = useChangeOfSite();
  return (
    <div>
      <ConfirmButton
        {...{ label: 'Disconnect …', title: `Disconnect ${name}?`, action: 'Disconnect' }}
        onConfirm={async () => {
          // Without the connection, this page is gone before a callback would be called.
          await mutateAsync({ method: 'DELETE', path: `/providers/${id}` });
          navigate(pathOf());
        }}
      >
        <p>
          Its events are refused from now on. Payments that it reported stay. Remove the webhook at
          the provider, too.
        </p>
      </ConfirmButton>
    </div>
  );
}

/** How far a connection's history is read, and what its webhook missed. */
function ConnectionHistory({ connection, provider }: ConnectionProps) {
  const { timezone } = useSite();
  const { history, poll, missed } = connection;
  const instant = (at: string | null) => (at === null ? '' : formatInstant(at, timezone));
  if (history === null) {
    const key = provider.fields.find(({ name }) => name === 'api_key');
    return key === undefined ? null : (
      <Section title="History">
        <Soft>
          With the field “{key.label}”, payments from before the webhook are read, too, and each
          hour those that it missed.
        </Soft>
      </Section>
    );
  }
  const troubles = new Set([history.error, poll?.error, missed].filter((each) => each != null));
  return (
    <Section title="History">
      <Stack gap={8} role="status">
        <p>{describeWalk(history, instant)}</p>
        {[...troubles].map((trouble) => (
          <Words as="p" key={trouble} look="bad">
            {trouble}
          </Words>
        ))}
      </Stack>
    </Section>
  );
}

/** Where a walk through a provider's lists stands. */
function describeWalk(walk: ProviderWalk, instant: (at: string | null) => string): string {
  const { state, since, pages, list, reached, ended_at: endedAt, next_at: nextAt } = walk;
  const hasStart = since !== null && Date.parse(since) > 0;
  const from = hasStart ? `everything since ${instant(since)}` : 'everything';
  const read = formatNoun(pages, 'page');
  if (state === 'done') return `Read ${from}: ${read}, done ${instant(endedAt)}.`;
  if (state === 'failed') return `Stopped after ${read}.`;
  if (state === 'waiting') return `Waiting: ${read} read. It goes on ${instant(nextAt)}.`;
  const at = reached === null ? '' : `, at ${instant(reached)}`;
  return `Reading ${list ?? 'its lists'}: ${read}${at}.`;
}

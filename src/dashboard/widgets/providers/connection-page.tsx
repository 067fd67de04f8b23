import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import settings from '../settings/settings.module.css';
import { ConnectSteps } from './connect-steps.tsx';
import { ConnectionEvents } from './connection-events.tsx';
import { ConnectionFields, splitFields } from './connection-fields.tsx';
import { ConnectionHistory } from './connection-history.tsx';
import { describePayments, toState } from './connection-state.ts';
import { FieldMapping } from './field-mapping.tsx';
import styles from './providers.module.css';
import { StateWords } from './state-words.tsx';
import { TestButton } from './test-button.tsx';
import { type ConnectionProps, useProvidersPath } from './use-providers.ts';

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
            <p className={settings.soft}>
              Secrets are never shown. A signing secret that you replace is accepted for 24 more
              hours.
            </p>
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
      <Link to={pathOf()} className={styles.back}>
        ← Payment providers
      </Link>
      <div className={settings.checkList} role="status">
        <p>
          <StateWords connection={connection} />
          {at !== null && ` · last event ${formatInstant(at, timezone)}`}
          {connection.name !== provider.title && ` · ${provider.title}`}
        </p>
        {advice !== undefined && <p>{advice}</p>}
        {connection.overlap !== null && <p>{connection.overlap}</p>}
        {(at !== null || connection.payments.all > 0) && (
          <p className={settings.soft}>{describePayments(connection.payments)}</p>
        )}
      </div>
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
  const removed = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  const disconnect = async () => {
    // Without the connection, this page is gone before a callback would be called.
    await removed.mutateAsync({ method: 'DELETE', path: `/providers/${id}` });
    navigate(pathOf());
  };
  return (
    <div>
      <Button look="danger" onClick={() => setAsked(true)}>
        Disconnect …
      </Button>
      <Dialog title={`Disconnect ${name}?`} isOpen={isAsked} onClose={() => setAsked(false)}>
        <div className={styles.stack}>
          <p>
            Its events are refused from now on. Payments that it told of stay. Remove the webhook at
            the provider, too.
          </p>
          {removed.error && <p role="alert">{removed.error.message}</p>}
          <div className={styles.foot}>
            <Button
              look="danger"
              disabled={removed.isPending}
              onClick={() => void disconnect().catch(() => {})}
            >
              Disconnect
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}

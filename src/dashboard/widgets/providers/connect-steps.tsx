import { type ReactNode, useState } from 'react';
import { useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import first from '../first-steps/first-steps.module.css';
import settings from '../settings/settings.module.css';
import { ConnectionFields, splitFields } from './connection-fields.tsx';
import { FieldMapping } from './field-mapping.tsx';
import { FormSketch } from './form-sketch.tsx';
import styles from './providers.module.css';
import { TestButton } from './test-button.tsx';
import type { ConnectionProps } from './use-providers.ts';

/** The three steps of connecting: create the webhook, paste its secret, carry the visitor id. Then it waits. */
export function ConnectSteps(props: ConnectionProps & { readonly onDone: () => void }) {
  const { connection, provider, onDone } = props;
  const { missing, last_event_at: eventAt } = connection;
  const [at, setAt] = useState(eventAt === null && missing.length > 0 ? 0 : 2);
  const { steps } = provider;
  const Content = [CreateWebhook, PasteSecret][at] ?? CarryVisitor;
  return (
    <Section title={`Step ${at + 1} of ${steps.length}: ${steps[at]?.title}`}>
      <ol className={styles.progress}>
        {steps.map(({ title }, index) => (
          <li key={title} aria-current={index === at ? 'step' : undefined} data-done={index < at}>
            <button type="button" onClick={() => setAt(index)}>
              <span className={styles.number} aria-hidden="true">
                {index < at ? '✓' : index + 1}
              </span>
              {title}
            </button>
          </li>
        ))}
      </ol>
      <Content {...{ connection, provider }} onNext={() => setAt(at + 1)}>
        <p>{steps[at]?.text}</p>
      </Content>
      {at === steps.length - 1 && <FirstEvent {...{ connection, provider, onDone }} />}
    </Section>
  );
}

type StepProps = ConnectionProps & {
  readonly onNext: () => void;
  /** What the provider's own words are for it. */
  readonly children: ReactNode;
};

function CreateWebhook({ connection, provider, onNext, children }: StepProps) {
  const { event_types: types, steps, title } = provider;
  const [step] = steps;
  return (
    <>
      <CopiedText text={connection.webhook_url} name="The webhook’s address" />
      {children}
      {step && <FormSketch {...{ title, step, types }} address={connection.webhook_url} />}
      {types.length > 0 && (
        <div>
          <h3>Events to choose</h3>
          <ul className={styles.types}>
            {types.map((type) => (
              <li key={type}>
                <code>{type}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <Button look="primary" onClick={onNext}>
          The webhook is there
        </Button>
      </div>
    </>
  );
}

function PasteSecret({ connection, provider, onNext, children }: StepProps) {
  const { mapping } = splitFields(provider.fields);
  const [, step] = provider.steps;
  const isMapped = mapping.length > 0;
  return (
    <>
      {children}
      {step && <FormSketch {...{ title: provider.title, step }} address={connection.webhook_url} />}
      <ConnectionFields
        {...{ connection, provider }}
        action={isMapped ? 'Save' : 'Save and go on'}
        onSaved={isMapped ? undefined : onNext}
      />
      {isMapped && (
        <>
          <h3>What its fields mean</h3>
          <FieldMapping {...{ connection, provider }} />
          <div>
            <Button onClick={onNext}>Go on</Button>
          </div>
        </>
      )}
    </>
  );
}

function CarryVisitor({ provider, children }: StepProps) {
  return (
    <>
      {children}
      <CopiedText text={provider.visitor_line} name="The line" />
    </>
  );
}

/** Waits for the first event, and shows it arrive. */
function FirstEvent(props: ConnectionProps & { readonly onDone: () => void }) {
  const { connection, provider, onDone } = props;
  const { timezone } = useSite();
  const { last_event_at: at, events, missing, last_error: error } = connection;
  const types = [...new Set(events.map(({ type }) => type))];
  if (missing.length > 0) {
    const open = provider.fields.filter(({ name }) => missing.includes(name));
    const labels = open.map(({ label }) => label).join(', ');
    return <p className={settings.bad}>Step 2 is open: {labels} is still empty.</p>;
  }
  return (
    <>
      <div className={first.waiting} role="status">
        {at === null ? (
          <>
            <span className={first.pulse} aria-hidden="true" />
            Waiting for the first event. It shows here within seconds.
          </>
        ) : (
          <>
            <span className={settings.good} aria-hidden="true">
              ✓
            </span>
            An event has arrived: {types.join(', ')}, {formatInstant(at, timezone)}.
          </>
        )}
      </div>
      {at === null && error !== null && <p className={settings.bad}>{error}</p>}
      <TestButton connection={connection} />
      <div>
        <Button {...(at !== null && { look: 'primary' })} onClick={onDone}>
          {at === null ? 'Finish later' : 'Done'}
        </Button>
      </div>
    </>
  );
}

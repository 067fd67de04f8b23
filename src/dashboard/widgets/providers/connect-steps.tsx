import { type ReactNode, useState } from 'react';
import { useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Inline, Section, Stack, TickLine, Waiting, Words } from '../../ui/layout.tsx';
import { ConnectionFields, FieldMapping, splitFields } from './connection-fields.tsx';
import { TestButton } from './connection-parts.tsx';
import type { ConnectionProps, KnownProvider } from './connection-state.ts';
import styles from './providers.module.css';

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
              <Words look={['badge', 'round']} aria-hidden="true">
                {index < at ? '✓' : index + 1}
              </Words>
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
          <Inline as="ul" gap={4}>
            {types.map((type) => (
              <li key={type} className={styles.sketch} style={{ padding: '2px 8px' }}>
                <code>{type}</code>
              </li>
            ))}
          </Inline>
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
    return (
      <Words as="p" look="bad">
        Step 2 is not done: {labels} is still empty.
      </Words>
    );
  }
  return (
    <>
      <div role="status">
        {at === null ? (
          <Waiting>Waiting for the first event. It shows here within seconds.</Waiting>
        ) : (
          <TickLine isGood>
            An event has arrived: {types.join(', ')}, {formatInstant(at, timezone)}.
          </TickLine>
        )}
      </div>
      {at === null && error !== null && (
        <Words as="p" look="bad">
          {error}
        </Words>
      )}
      <TestButton connection={connection} />
      <div>
        <Button {...(at !== null && { look: 'primary' })} onClick={onDone}>
          {at === null ? 'Finish later' : 'Done'}
        </Button>
      </div>
    </>
  );
}

type FormSketchProps = {
  readonly title: string;
  readonly step: KnownProvider['steps'][number];
  /** The address of the webhook. */
  readonly address: string;
  readonly types?: readonly string[];
};

/** How many events a sketch draws. */
const TYPES_MAX = 2;

/** A drawing of where a step is done in the provider's own dashboard: what to click, and what belongs where. */
function FormSketch({ title, step, address, types = [] }: FormSketchProps) {
  const { way, form } = step;
  const more = types.length - TYPES_MAX;
  if (way.length === 0) return null;
  return (
    <figure
      style={{ maxWidth: 520, margin: 0 }}
      aria-label={`A sketch of the dashboard of ${title}`}
    >
      <Stack gap={8} className={styles.sketch} style={{ padding: 16, fontSize: 13 }}>
        <Words as="p" look={['soft', 'tiny']} aria-hidden="true">
          {title}
        </Words>
        <Inline as="ol" className={styles.way} aria-label="What to click">
          {way.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </Inline>
        {Object.entries(form).map(([label, value]) => (
          <Stack key={label} gap={4}>
            <strong>{label}</strong>
            <Words look="cut" className={styles.typed}>
              {value.replace('{address}', address)}
            </Words>
          </Stack>
        ))}
        {types.slice(0, TYPES_MAX).map((type) => (
          <Words as="p" key={type} look="broken">
            <Words look="people" aria-hidden="true">
              ✓
            </Words>{' '}
            {type}
          </Words>
        ))}
        {more > 0 && <p>and {more} more, listed below</p>}
      </Stack>
      <Words as="figcaption" look={['soft', 'tiny']}>
        A sketch: {title} looks different, and may have moved a page.
      </Words>
    </figure>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { toAssistantPrompt } from '#contract/sites/assistant-prompt.ts';
import type { HealthAnswer } from '#contract/sites/health.ts';
import type { ScriptAnswer } from '#contract/sites/site.ts';
import { useOfSite, useSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Card, Inline, Stack, Waiting, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { DemoOffer } from '../demo/demo.tsx';
import { toMeaning } from '../panels/bots/left-out.ts';
import { BackendSteps } from './backend-steps.tsx';
import { SnippetTabs, toTagSnippets } from './snippet-tabs.tsx';

const LOOK_AGAIN_MS = 2_000;

/** What is left to do before a new site has data. Once the first pageview is there, it leads on to the dashboard. */
export function FirstSteps({ onDone }: { readonly onDone: () => void }) {
  const { domain } = useSite();
  const client = useQueryClient();
  const script = useOfSite<ScriptAnswer>('/script');
  const health = useOfSite<HealthAnswer>('/health', { refetchInterval: LOOK_AGAIN_MS });
  const pageviewAt = health.data?.pageview_at ?? null;
  useEffect(() => {
    if (pageviewAt !== null) void client.invalidateQueries();
  }, [pageviewAt, client]);
  return (
    <Card isPadded style={{ maxWidth: 860, margin: '12px auto 0' }} aria-label="First steps">
      <Stack gap={24}>
        <h1>Three steps until {domain} shows its first numbers</h1>
        <Step number={1} title="Add the script to every page">
          <Loaded of={script} height={80}>
            {({ src }) => <SnippetTabs name="Script" snippets={toTagSnippets({ src, domain })} />}
          </Loaded>
        </Step>
        <Step number={2} title="Open a page of the site">
          {pageviewAt === null ? (
            <FirstPageview health={health.data} />
          ) : (
            <Inline gap="8px 16px">
              <p role="status">The first pageview has arrived.</p>
              <Button look="primary" onClick={onDone}>
                Open the dashboard
              </Button>
            </Inline>
          )}
        </Step>
        <Step number={3} title="Report payments from your backend">
          <BackendSteps />
        </Step>
        {script.data && (
          <Stack gap={12}>
            <h2>Or let an assistant add it: paste this prompt</h2>
            <CopiedText
              text={toAssistantPrompt(location.origin, script.data)}
              name="Prompt for an assistant"
            />
          </Stack>
        )}
        {pageviewAt === null && <DemoOffer />}
      </Stack>
    </Card>
  );
}

function Step(props: {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { number, title, children } = props;
  return (
    <Inline as="section" gap={12} style={{ flexWrap: 'nowrap', alignItems: 'start' }}>
      <Words look={['badge', 'round']} aria-hidden="true">
        {number}
      </Words>
      <Stack gap={12} style={{ flex: 1, minWidth: 0, paddingTop: 4 }}>
        <h2>{title}</h2>
        {children}
      </Stack>
    </Inline>
  );
}

function FirstPageview({ health }: { readonly health: HealthAnswer | undefined }) {
  const { domain, role } = useSite();
  const place = 'Settings → General → Allowed hosts';
  const hosts = health?.refused_hosts ?? [];
  const others = (health?.dropped ?? []).filter(({ reason }) => reason !== 'hostname_not_allowed');
  return (
    <div aria-live="polite">
      <Waiting>Waiting for the first pageview. It shows here within two seconds.</Waiting>
      {hosts.length > 0 && (
        <Words as="p" look="bad">
          Events came from {hosts.join(', ')}, which this site does not allow. If it is yours, add
          it under{' '}
          {role === 'viewer' ? place : <Link to={`/${domain}/settings/general`}>{place}</Link>}.
        </Words>
      )}
      {others.map(({ reason, count }) => (
        <Words as="p" key={reason} look="bad">
          {count} events were dropped: {toMeaning(reason)}.
        </Words>
      ))}
      <Words as="p" look={['soft', 'small']}>
        Nothing arrives? A blocker or a content security policy may stop the script; the browser
        console says so. Pages on localhost count only with <code>data-allow-localhost</code> in the
        tag.
      </Words>
    </div>
  );
}

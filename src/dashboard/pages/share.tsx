import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OpenedShareAnswer, SharedAnswer } from '#contract/sites/shares.ts';
import { useView } from '../address/address.ts';
import { type Shared, SiteContext, useGet, type ViewedSite } from '../api/account.ts';
import { ApiError, keepShareCredential, request } from '../api/api.ts';
import { describeFilter } from '../format/dimensions.ts';
import { Button, pillClass } from '../ui/button.tsx';
import { Form, type FormValues } from '../ui/form.tsx';
import { Card, Inline, Words, wordsClass } from '../ui/layout.tsx';
import { EmptyNote, ErrorNote } from '../ui/loaded.tsx';
import { PASSWORD } from '../widgets/account/login.ts';
import { Bar } from '../widgets/bar/bar.tsx';
import { Chart } from '../widgets/chart/chart.tsx';
import { Cards } from '../widgets/figures/cards.tsx';
import { Logo, Shell } from '../widgets/head/head.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { Panels } from '../widgets/panels/board/panels.tsx';
import { isShownFilter } from '../widgets/panels/tabs.ts';
import { Door } from './door.tsx';
import frame from './site-frame.module.css';

/** What a shared link shows, without a login: on its own, or framed by another page. */
export function SharePage() {
  const isEmbed = location.pathname.endsWith('/embed');
  const found = useGet<SharedAnswer>('/api/v1/share');
  useEffect(() => (isEmbed ? postHeight() : undefined), [isEmbed]);
  const { data, error } = found;
  if (error instanceof ApiError && error.status === 401) return <AskPassword />;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Door title="This link is no longer valid">
        <p>Ask for a new one where you got it.</p>
      </Door>
    );
  }
  if (data === undefined) {
    return error ? <ErrorNote error={error} onRetry={() => void found.refetch()} /> : <Shell />;
  }
  const { site, filters, revenue, ...shared } = data;
  const money = { has_payments: revenue, has_costs: false } as const;
  const own = { id: site.domain, role: 'viewer', ...money, shared } as const;
  return (
    <SiteContext.Provider value={{ ...site, ...own }}>
      <div className={frame.frame}>
        <ShareHead name={site.name} filters={filters} />
        <main>
          <SharedView name={site.name} panels={shared.panels} />
        </main>
      </div>
    </SiteContext.Provider>
  );
}

function SharedView({ name, panels }: Pick<Shared, 'panels'> & Pick<ViewedSite, 'name'>) {
  usePageTitle(name);
  const [view, change] = useView();
  const filters = view.filters.filter((filter) => isShownFilter({ panels }, filter));
  if (filters.length < view.filters.length) {
    return (
      <Card>
        <EmptyNote>
          <p>This link does not allow every filter in this address.</p>
          <Button onClick={() => change({ filters })}>Show the figures without</Button>
        </EmptyNote>
      </Card>
    );
  }
  return (
    <>
      <Bar compares={panels.includes('figures')} />
      {panels.includes('figures') && (
        <Card aria-label="Figures for the period">
          <Cards />
          <Chart />
        </Card>
      )}
      <Panels />
    </>
  );
}

function AskPassword() {
  const client = useQueryClient();
  const open = async ({ password = '' }: FormValues) => {
    const { token } = await request<OpenedShareAnswer>('/api/v1/share/open', {
      body: { password },
    });
    keepShareCredential(token);
    await client.resetQueries();
  };
  return (
    <Door title="This link has a password" lead="Ask the person who gave you the link.">
      <Form
        {...{ action: 'Open', onSubmit: open }}
        fields={[{ ...PASSWORD, autoComplete: 'off', autoFocus: true }]}
      />
    </Door>
  );
}

/**
 * Tells the embedding page this page's height whenever it changes. Returns a function that stops it.
 *
 * - Why to anyone: a link may be shown anywhere, and its height is no secret.
 */
function postHeight(): () => void {
  let last = 0;
  const root = document.getElementById('root') ?? document.body;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    parent.postMessage({ tributaryHeight: height }, '*');
  });
  observer.observe(root);
  return () => observer.disconnect();
}

type ShareHeadProps = {
  readonly name: string;
  /** Query API filters that apply to everything the link shows. */
  readonly filters: readonly (readonly unknown[])[];
};

/** Whose figures these are and their filters. */
function ShareHead({ name, filters }: ShareHeadProps) {
  return (
    <Inline as="header" gap="8px 16px" style={{ minHeight: 56 }}>
      <Words as="h1" look="broken">
        {name}
      </Words>
      {filters.length > 0 && (
        <Inline as="ul" aria-label="What is counted">
          {filters.map((filter) => (
            <li
              key={JSON.stringify(filter)}
              className={pillClass(wordsClass('broken'))}
              style={{ background: 'var(--hover)' }}
            >
              {describeFilter(filter)}
            </li>
          ))}
        </Inline>
      )}
      <Inline as="span" className={wordsClass('soft')} style={{ marginLeft: 'auto' }}>
        <Logo /> Tributary
      </Inline>
    </Inline>
  );
}

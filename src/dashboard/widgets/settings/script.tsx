import { Link } from 'wouter';
import type { ScriptAnswer } from '#contract/sites/site.ts';
import { useOfSite, useSite } from '../../api/account.ts';
import { Section, Soft } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SnippetTabs, toPaymentSnippets, toTagSnippets } from '../first-steps/snippet-tabs.tsx';

/** The site's tag, and how its backend reports payments. */
export function Script() {
  const { domain, currency, role } = useSite();
  return (
    <>
      <Section title="Script">
        <Soft>
          Add it to every page. Script and events use a path unique to this site, which blockers do
          not know.
        </Soft>
        <Loaded of={useOfSite<ScriptAnswer>('/script')} height={96}>
          {({ src }) => <SnippetTabs name="Script" snippets={toTagSnippets({ src, domain })} />}
        </Loaded>
      </Section>
      <Section title="Payments">
        <Soft>
          Your backend reports each payment with the visitor’s cookie and an{' '}
          <Link to={`/${domain}/settings/keys`}>API key</Link>.
          {role === 'owner' && (
            <>
              {' '}
              A <Link to={`/${domain}/settings/providers`}>connected payment provider</Link> reports
              its payments by itself.
            </>
          )}
        </Soft>
        <SnippetTabs
          name="Payment"
          snippets={toPaymentSnippets({ origin: location.origin, currency })}
        />
      </Section>
    </>
  );
}

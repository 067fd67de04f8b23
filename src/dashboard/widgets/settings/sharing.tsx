import { useState } from 'react';
import type { ShareAnswer, SharesAnswer } from '#contract/sites/shares.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { describeFilter } from '../../format/dimensions.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { NewShareForm } from './new-share.tsx';
import styles from './settings.module.css';
import { toSnippet } from './site-share.ts';

/** Links that show part of the site to people without a login. */
export function Sharing() {
  const { data, error, refetch } = useOfSite<SharesAnswer>('/shares');
  const [made, setMade] = useState<string>();
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={240} />;
  return (
    <>
      <Section title="Shared links">
        {data.shares.length === 0 ? (
          <p className={styles.soft}>
            Nobody without a login can see this site. A link shows the panels that you choose, and
            never individual people or payments.
          </p>
        ) : (
          data.shares.map((share) => (
            <ShareLines key={share.id} share={share} isOpen={share.id === made} />
          ))
        )}
      </Section>
      <NewShareForm key={made} onMade={setMade} />
    </>
  );
}

function ShareLines(props: { readonly share: ShareAnswer; readonly isOpen: boolean }) {
  const { share, isOpen } = props;
  const site = useSite();
  const used = share.last_used_at;
  return (
    <details className={styles.share} open={isOpen}>
      <summary>
        <strong>{share.name}</strong>{' '}
        <span className={styles.soft}>
          {formatNoun(share.panels.length, 'panel')}
          {share.revenue ? ', with revenue' : ''}
          {share.has_password ? ', with a password' : ''}
          {share.filters.map((each) => `, only where ${describeFilter(each)}`)} ·{' '}
          {used === null ? 'never opened' : `opened ${formatInstant(used, site.timezone)}`}
        </span>
      </summary>
      <p>Link</p>
      <CopiedText text={share.url} name="The link" />
      <p>To embed it in your own page:</p>
      <CopiedText text={toSnippet(share, site.name || site.domain)} name="The frame" />
      <Revoke share={share} />
    </details>
  );
}

function Revoke({ share }: { readonly share: ShareAnswer }) {
  const revoked = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  if (revoked.error) return <p role="alert">{revoked.error.message}</p>;
  const revoke = () => revoked.mutate({ method: 'DELETE', path: `/shares/${share.id}` });
  return (
    <div>
      <Button size="small" look="danger" onClick={isAsked ? revoke : () => setAsked(true)}>
        {isAsked ? 'Really revoke' : 'Revoke'}
      </Button>
    </div>
  );
}

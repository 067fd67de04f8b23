import type { ProviderWalk } from '#contract/sites/providers.ts';
import { useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Section } from '../../ui/card.tsx';
import settings from '../settings/settings.module.css';
import type { ConnectionProps } from './use-providers.ts';

/** How far a connection's history is read, and what its webhook missed. */
export function ConnectionHistory({ connection, provider }: ConnectionProps) {
  const { timezone } = useSite();
  const { history, poll, missed } = connection;
  const instant = (at: string | null) => (at === null ? '' : formatInstant(at, timezone));
  if (history === null) {
    const key = provider.fields.find(({ name }) => name === 'api_key');
    return key === undefined ? null : (
      <Section title="History">
        <p className={settings.soft}>
          With the field “{key.label}”, payments from before the webhook are read, too, and each
          hour those that it missed.
        </p>
      </Section>
    );
  }
  return (
    <Section title="History">
      <div className={settings.checkList} role="status">
        <p>{describeWalk(history, instant)}</p>
        {history.error !== null && <p className={settings.bad}>{history.error}</p>}
        {poll !== null && poll.error !== history.error && poll.error !== null && (
          <p className={settings.bad}>{poll.error}</p>
        )}
        {missed !== null && <p className={settings.bad}>{missed}</p>}
      </div>
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

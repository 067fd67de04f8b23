import { Link } from 'wouter';
import type { MetricValue } from '#contract/query.ts';
import { toInsightPath } from '#contract/reports/insight-path.ts';
import type { Insight, InsightsAnswer } from '#contract/reports/insights.ts';
import { useGet, useSite } from '../api/account.ts';
import { formatDays } from '../format/dates.ts';
import { formatMoney, formatNoun, formatPercent, formatWhole } from '../format/numbers.ts';
import { Card, DividedList, Soft, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { EmptyNote, Loaded } from '../ui/loaded.tsx';

/** Whole days do not change, but for late events. */
const FRESH_MS = 10 * 60_000;

/** What stands out in the last week, in sentences that open their figures. */
export function InsightsPage() {
  const { id: site } = useSite();
  const answer = useGet<InsightsAnswer>('/api/v1/insights', { site, staleTime: FRESH_MS });
  return (
    <Card isPadded style={{ marginTop: 8 }}>
      <Stack>
        <h1>Insights</h1>
        <Loaded of={answer} height={320}>
          {(found) => (
            <>
              <Compared {...found} />
              <Sentences {...found} />
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

/** Which week it is, and what it is compared with. */
function Compared({ week, compared_with: before, weeks }: InsightsAnswer) {
  const compared =
    before && `, compared with the ${formatNoun(weeks, 'week')} before (${formatDays(...before)})`;
  return (
    <Soft style={{ maxWidth: 680 }}>
      What stands out in the last seven whole days, {formatDays(...week)}
      {compared}. Differences that may be chance are left out, and so is today.
    </Soft>
  );
}

function Sentences({
  results,
  compared_with: before,
  weeks,
  weeks_needed: needed,
}: InsightsAnswer) {
  if (before === null) {
    return (
      <EmptyNote>
        <strong>Too early to compare</strong>
        <span>
          Insights compare the last week with at least {needed} whole weeks before it. This site has{' '}
          {weeks === 0 ? 'none' : formatWhole(weeks)} so far: come back in about{' '}
          {formatNoun(needed - weeks, 'week')}.
        </span>
      </EmptyNote>
    );
  }
  if (results.length === 0) {
    return (
      <EmptyNote>
        <strong>Nothing stands out this week</strong>
        <span>Any difference from the weeks before is small or may be chance.</span>
      </EmptyNote>
    );
  }
  return (
    <DividedList as="ol">
      {results.map((insight) => (
        <li key={insight.sentence}>
          <SentenceLink insight={insight} />
          <Words as="p" look={['soft', 'small']}>
            {nameUsual(insight)}By chance alone, this would happen {nameChance(insight.chance)}.
          </Words>
        </li>
      ))}
    </DividedList>
  );
}

/** The sentence, which opens the overview, or the payments that were paid back, with its figures. */
function SentenceLink({ insight }: { readonly insight: Insight }) {
  const { domain } = useSite();
  return (
    <Link to={`/${domain}${toInsightPath(insight)}`} className={wordsClass('link', 'bold')}>
      {insight.sentence}
    </Link>
  );
}

/** The usual figure, where the sentence does not say it. */
function nameUsual({ kind, usual, sentence }: Insight): string {
  const text = formatUsual(kind, usual);
  return sentence.includes('Usually, ') || kind === 'contrast' ? '' : `Usual: ${text}. `;
}

function formatUsual(kind: Insight['kind'], usual: MetricValue): string {
  if (typeof usual === 'object') return formatMoney(usual);
  return kind === 'conversion' || kind === 'exits'
    ? formatPercent(usual)
    : formatWhole(toRounded(usual));
}

/** An average of counts, in as many digits as say something. */
function toRounded(average: number | null): number {
  return average === null ? 0 : average < 10 ? Math.round(average * 10) / 10 : Math.round(average);
}

const NEVER = 1e-6;

/** How often chance does it: `once in about 4,000 weeks`. */
function nameChance(chance: number): string {
  if (chance < NEVER) return 'less than once in a million weeks';
  return `once in about ${formatWhole(Number((1 / chance).toPrecision(1)))} weeks`;
}

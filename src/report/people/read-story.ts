import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { STORY_VISITS, type StoryAnswer } from '#contract/story.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ok } from '#domain/result.ts';
import { visitSource } from '../dimensions/visit/source.ts';
import { readCursor, writeCursor } from '../query/parse/cursor.ts';
import { toAnsweredRange } from '../query/parse/parse-fields.ts';
import type { CreditedQuery } from '../query/plan/plan-fact.ts';
import type { BaseQuery } from '../query/query.ts';
import { createQueryKind, type QueryKind, type Resolved } from '../query/query-kind.ts';
import { parseReport } from '../reports/report-kind.ts';
import { type PeopleDeps, type PeopleLedger, planCredited } from './plan-credited.ts';
import {
  findEvents,
  findPerson,
  findStory,
  type StoryFacts,
  type StoryPage,
  type StoryPlan,
} from './story-sql.ts';
import { toStory } from './to-story.ts';

/** A request for a story. What is left out has its default. */
export type SentStory = AskedFields & {
  /** Of the person, or of any of their visitors. */
  readonly id: string;
  readonly model?: string | undefined;
  readonly lookback_days?: number | null | undefined;
  /** Visits of a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Whether e-mail addresses and names may be shown. */
  readonly isPersonal: boolean;
};

type Story = StoryPage & {
  readonly query: CreditedQuery;
  /** What pages of one story have in common. */
  readonly same: unknown;
};

/** Reads the whole story of a person; nothing when nobody knows of them. */
export function createReadStory({
  ledger,
  ...parts
}: PeopleDeps): QueryKind<SentStory, StoryAnswer | undefined> {
  return createQueryKind(parts, {
    parse: (sent, site, clock) => parseReport(parseStory, sent, site, clock),
    async answer(warehouse, story, { id, isPersonal }) {
      const { query, facts, limit } = story;
      const [person, credited] = await Promise.all([
        findPerson(warehouse, query.site.id, id),
        planCredited(warehouse, query, facts),
      ]);
      const plan = { ...credited, person };
      const { visits: found, ...rest } = await findStory(warehouse, plan, story);
      const visits = found.slice(0, limit);
      const context = { ...findKnown(ledger, plan, rest, isPersonal), isPersonal };
      if (rest.visitCount === 0 && context.isUnknown) return ok(undefined);
      const events = await findEvents(warehouse, plan, visits);
      const { period, attribution } = query;
      const last = found.length > limit ? visits.at(-1) : undefined;
      return ok({
        ...toStory({ visits, ...rest }, { ...context, events }),
        meta: last === undefined ? {} : { next_cursor: toCursor(story, last) },
        query: {
          date_range: toAnsweredRange(period),
          timezone: period.timeZone,
          attribution: { model: attribution.model, lookback_days: attribution.lookbackDays },
          limit,
        },
      });
    },
  });
}

/** What the ledger knows of the person. */
function findKnown(
  ledger: PeopleLedger,
  { site, person }: StoryPlan,
  { payments, loneGoals }: Pick<StoryFacts, 'payments' | 'loneGoals'>,
  isPersonal: boolean,
) {
  const known = ledger.findPersonKeys(site.id, person);
  const isAlone = known.visitors.length === 0 && !person.startsWith('~');
  const keys = isAlone ? { ...known, visitors: [person] } : known;
  const identities = ledger.findIdentities(site.id, keys.visitors);
  const transactions = payments.map((payment) => payment.transaction_id);
  const names = isPersonal ? ledger.findPayerNames(site.id, transactions) : [];
  const signs = [identities, payments, loneGoals, known.customers, known.emails];
  return {
    ...{ site, person, keys, identities, names },
    isUnknown: signs.every((list) => list.length === 0),
  };
}

function parseStory(
  { cursor: text, limit = STORY_VISITS.byDefault, isPersonal: _isPersonal, ...same }: SentStory,
  base: BaseQuery,
  faults: Fault[],
): Story {
  const { model: name = ATTRIBUTION_MODELS[0], lookback_days: lookbackDays = null } = same;
  const model = ATTRIBUTION_MODELS.find((known) => known === name);
  if (model === undefined) {
    faults.unshift({ path: '/model', message: `must be one of ${ATTRIBUTION_MODELS.join(', ')}` });
  }
  const cursor = text === undefined ? ok(undefined) : readCursor(text, same);
  if (!cursor.ok) faults.push({ ...cursor.error, path: '/cursor' });
  const attribution = { model: model ?? ATTRIBUTION_MODELS[0], lookbackDays };
  return {
    // What is broken down by visits is credited to visits.
    query: { ...base, dimensions: [visitSource], attribution },
    limit,
    after: cursor.ok ? cursor.value?.after.map(String) : undefined,
    same,
  };
}

function toCursor({ query, same }: Resolved<Story>, last: StoryFacts['visits'][number]): string {
  return writeCursor(same, query.period, [last.started_at, last.visit]);
}

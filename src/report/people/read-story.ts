import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { STORY_VISITS, type StoryAnswer } from '#contract/story.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ok } from '#domain/result.ts';
import { visit } from '../dimension.ts';
import { SOURCE } from '../dimensions.ts';
import { findMoneyNotes } from '../query/answer/find-money-notes.ts';
import { createQueryKind, type QueryKind } from '../query/answer/query-kind.ts';
import { parseReport } from '../query/answer/report-kind.ts';
import { readCursor, writeCursor } from '../query/cursor.ts';
import type { BaseQuery } from '../query/query.ts';
import { toAnsweredRange } from '../query/shape/to-answer-row.ts';
import { type PeopleDeps, planCredited } from './people-deps.ts';
import { findPerson, findStory } from './story-sql.ts';
import { toStory } from './to-story.ts';

/** A request for a story. */
export type SentStory = AskedFields & {
  /** Id of the person, or of any of their visitors. */
  readonly id: string;
  readonly model?: string | undefined;
  readonly lookback_days?: number | null | undefined;
  /** Visits per page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Whether e-mail addresses, names and properties may be shown. */
  readonly isPersonal: boolean;
};

/** Reads the whole story of a person; undefined if unknown. */
export function createReadStory({
  ledger,
  ...parts
}: PeopleDeps): QueryKind<SentStory, StoryAnswer | undefined> {
  return createQueryKind(parts, {
    parse: (sent: SentStory, site, clock) => parseReport(parseStory, sent, site, clock),
    async answer(warehouse, { query, facts, now, page, same }, { id, isPersonal }) {
      const [person, credited] = await Promise.all([
        findPerson(warehouse, query.site.id, id),
        planCredited(warehouse, query, facts),
      ]);
      const [found, moneyNotes] = await Promise.all([
        findStory(warehouse, { ...credited, person }, page),
        findMoneyNotes(warehouse, { ...query, person }, facts),
      ]);
      const story = await toStory(found, { site: query.site, person, ledger, isPersonal });
      if (story === undefined) return ok(undefined);
      const next = found.last && { next_cursor: writeCursor(same, now, found.last) };
      const { period, attribution } = query;
      return ok({
        ...story,
        meta: { ...next, ...moneyNotes },
        query: {
          date_range: toAnsweredRange(period),
          timezone: period.timeZone,
          attribution: { model: attribution.model, lookback_days: attribution.lookbackDays },
          limit: page.limit,
        },
      });
    },
  });
}

function parseStory(
  { cursor: text, limit = STORY_VISITS.byDefault, isPersonal: _isPersonal, ...same }: SentStory,
  base: BaseQuery,
  faults: Fault[],
) {
  const { model: name = ATTRIBUTION_MODELS[0], lookback_days: lookbackDays = null } = same;
  const model = ATTRIBUTION_MODELS.find((known) => known === name);
  if (model === undefined) {
    faults.unshift({ path: '/model', message: `must be one of ${ATTRIBUTION_MODELS.join(', ')}` });
  }
  const cursor = readCursor(text, same, faults, '/cursor');
  const attribution = { model: model ?? ATTRIBUTION_MODELS[0], lookbackDays };
  return {
    // A breakdown by visits credits visits.
    query: { ...base, dimensions: [{ name: 'visit:source', ...visit(SOURCE) }], attribution },
    page: { limit, after: cursor?.after.map(String) },
    /** The part of the request that all pages of a story share. */
    same,
  };
}

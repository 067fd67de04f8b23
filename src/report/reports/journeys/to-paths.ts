import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import type { Planned } from '../report-kind.ts';
import { ACTION_MARKS, type JourneyRow, type JourneysQuery } from './journeys-sql.ts';

type Path = JourneysAnswer['results'][number];

/** The paths in the rows: each before those that go on from it, of these the most common first. */
export function toPaths(rows: readonly JourneyRow[], journeys: Planned<JourneysQuery>): Path[] {
  return pathsFrom(rows, [], Number(rows[0]?.n0 ?? 0), journeys);
}

/** The rows all begin with the path. */
function pathsFrom(
  rows: readonly JourneyRow[],
  path: readonly Step[],
  all: number,
  journeys: Planned<JourneysQuery>,
): Path[] {
  const { depth, breadth } = journeys.asked;
  const step = path.length;
  const isLast = step === depth;
  const read = (row: JourneyRow | undefined, column: string) => row?.[column] ?? '0';
  const reached = Number(read(rows[0], `n${step}`));
  const rowsByAction = Map.groupBy(rows, (row) => row[`action${step + 1}`] ?? '');
  const further = [...rowsByAction].filter(([action]) => action !== '' && !isLast);
  const listed = further
    .map(([action, own]) => ({ action, rows: own, n: Number(read(own[0], `n${step + 1}`)) }))
    .toSorted((a, b) => b.n - a.n || Buffer.compare(Buffer.from(a.action), Buffer.from(b.action)))
    .slice(0, breadth);
  const ended = Number(
    isLast ? read(rows[0], 'ended') : read(rowsByAction.get('')?.[0], `n${step + 1}`),
  );
  const own: Path = {
    path: [...path],
    reached,
    share: percentOf(BigInt(reached), BigInt(all)),
    ended,
    other: reached - ended - listed.reduce((sum, { n }) => sum + n, 0),
    revenue: toMoney(BigInt(read(rows[0], `minor${step}`)), journeys.query.site.currency),
  };
  const on = listed.flatMap((branch) =>
    pathsFrom(branch.rows, [...path, toStep(branch.action)], all, journeys),
  );
  return [own, ...on];
}

function toStep(action: string): Step {
  const text = action.slice(1);
  if (action.startsWith(ACTION_MARKS.page)) return { type: 'page', path: text };
  if (action.startsWith(ACTION_MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}

import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import type { Planned } from '../report-kind.ts';
import { ACTION_MARKS, type JourneyRow, type JourneysQuery } from './journeys-sql.ts';

type Path = JourneysAnswer['results'][number];

/** One step of paths: how many came to it, and where they went on. */
type Branch = {
  readonly action: string;
  readonly reached: number;
  readonly minor: string;
  ended: number;
  readonly further: Map<string, Branch>;
};

/** The paths in the rows: each before those that go on from it, of these the most common first. */
export function toPaths(rows: readonly JourneyRow[], journeys: Planned<JourneysQuery>): Path[] {
  const root = toTree(rows, journeys.asked.depth);
  return pathsFrom(root, [], root.reached, journeys);
}

function toTree(rows: readonly JourneyRow[], depth: number): Branch {
  const root = branchOf('', rows[0], 0);
  for (const row of rows) {
    let branch = root;
    for (let step = 1; step <= depth; step += 1) {
      const action = row[`action${step}`] ?? '';
      if (action === '') {
        branch.ended = Number(row[`n${step}`]);
        break;
      }
      const next = branch.further.get(action) ?? branchOf(action, row, step);
      branch.further.set(action, next);
      branch = next;
      if (step === depth) branch.ended = Number(row.ended);
    }
  }
  return root;
}

function branchOf(action: string, row: JourneyRow | undefined, step: number): Branch {
  const reached = Number(row?.[`n${step}`] ?? 0);
  return { action, reached, minor: row?.[`minor${step}`] ?? '0', ended: 0, further: new Map() };
}

function pathsFrom(
  { reached, minor, ended, further }: Branch,
  path: readonly Step[],
  all: number,
  journeys: Planned<JourneysQuery>,
): Path[] {
  const listed = [...further.values()]
    .toSorted(
      (a, b) =>
        b.reached - a.reached || Buffer.compare(Buffer.from(a.action), Buffer.from(b.action)),
    )
    .slice(0, journeys.asked.breadth);
  const other = reached - ended - listed.reduce((sum, branch) => sum + branch.reached, 0);
  const own: Path = {
    path: [...path],
    reached,
    share: percentOf(BigInt(reached), BigInt(all)),
    ended,
    other,
    revenue: toMoney(BigInt(minor), journeys.query.site.currency),
  };
  const on = listed.flatMap((branch) =>
    pathsFrom(branch, [...path, toStep(branch.action)], all, journeys),
  );
  return [own, ...on];
}

function toStep(action: string): Step {
  const text = action.slice(1);
  if (action.startsWith(ACTION_MARKS.page)) return { type: 'page', path: text };
  if (action.startsWith(ACTION_MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}

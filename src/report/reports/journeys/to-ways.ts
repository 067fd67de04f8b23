import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { DEED_MARKS } from './deeds.ts';
import type { JourneyRow } from './journeys-statement.ts';
import type { JourneysPlan } from './parse-journeys.ts';

type Way = JourneysAnswer['results'][number];

/** One step of ways: how many came to it, and where they went on. */
type Branch = {
  readonly deed: string;
  readonly reached: number;
  readonly minor: string;
  ended: number;
  readonly further: Map<string, Branch>;
};

/** The ways that the rows tell: each before those that go on from it, of these the most common first. */
export function toWays(rows: readonly JourneyRow[], journeys: JourneysPlan): Way[] {
  const root = toTree(rows, journeys.depth);
  return waysFrom(root, [], root.reached, journeys);
}

function toTree(rows: readonly JourneyRow[], depth: number): Branch {
  const root = branchOf('', rows[0], 0);
  for (const row of rows) {
    let branch = root;
    for (let step = 1; step <= depth; step += 1) {
      const deed = row[`deed${step}`] ?? '';
      if (deed === '') {
        branch.ended = Number(row[`n${step}`]);
        break;
      }
      const next = branch.further.get(deed) ?? branchOf(deed, row, step);
      branch.further.set(deed, next);
      branch = next;
      if (step === depth) branch.ended = Number(row.ended);
    }
  }
  return root;
}

function branchOf(deed: string, row: JourneyRow | undefined, step: number): Branch {
  const reached = Number(row?.[`n${step}`] ?? 0);
  return { deed, reached, minor: row?.[`minor${step}`] ?? '0', ended: 0, further: new Map() };
}

function waysFrom(
  { reached, minor, ended, further }: Branch,
  path: readonly Step[],
  all: number,
  journeys: JourneysPlan,
): Way[] {
  const told = [...further.values()]
    .toSorted(
      (a, b) => b.reached - a.reached || Buffer.compare(Buffer.from(a.deed), Buffer.from(b.deed)),
    )
    .slice(0, journeys.breadth);
  const other = reached - ended - told.reduce((sum, branch) => sum + branch.reached, 0);
  const way: Way = {
    path: [...path],
    reached,
    share: percentOf(BigInt(reached), BigInt(all)),
    ended,
    other,
    revenue: toMoney(BigInt(minor), journeys.query.site.currency),
  };
  const on = told.flatMap((branch) =>
    waysFrom(branch, [...path, toStep(branch.deed)], all, journeys),
  );
  return [way, ...on];
}

function toStep(deed: string): Step {
  const text = deed.slice(1);
  if (deed.startsWith(DEED_MARKS.page)) return { type: 'page', path: text };
  if (deed.startsWith(DEED_MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}

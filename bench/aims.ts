import type { DiskResult } from './disk.ts';
import type { IngestResult } from './ingest.ts';
import type { AskResult } from './queries/ask-history.ts';
import { ratioOf, sumOf } from './queries/timing.ts';

/** A figure and its target, a maximum or minimum. */
export type Aim = {
  readonly figure: string;
  readonly found: number;
  readonly atMost?: number;
  readonly atLeast?: number;
};

/** From this size on a history is large, and queries without a filter need not be faster than before. */
const LARGE_EVENTS = 10_000_000;
const RATIO_MAX = 0.7;
const LARGE_RATIO_MAX = 1.5;
const BY_HAND_MAX = 1.6;
const LOADING_MIN = 0.8;
const RULE_MAX_MS = 1_200;
const DATA_DRIVEN_MAX_MS = 3_000;
const BYTES_MAX = 60;
const IDLE_MAX_MB = 400;
/** Relative to bare `node:http`. */
const INGEST_MIN = { pageviews: 0.5, goals: 0.6, payments: 0.45 } as const;

/** Whether the figure meets its target. */
export function isMet({ found, atMost = Infinity, atLeast = -Infinity }: Aim): boolean {
  return found <= atMost && found >= atLeast;
}

/** Each figure beside its target. */
export function toAimsTable(aims: readonly Aim[]): string {
  const rows = aims.map((aim) => {
    const { figure, found, atMost, atLeast } = aim;
    const wanted =
      atMost !== undefined
        ? `at most ${atMost}`
        : atLeast !== undefined
          ? `at least ${atLeast}`
          : '';
    const verdict = wanted === '' ? '' : isMet(aim) ? 'met' : 'MISSED';
    return `| ${figure} | ${found.toFixed(found < 10 ? 2 : 0)} | ${wanted} | ${verdict} |\n`;
  });
  return `| figure | found | wanted | |\n|---|---|---|---|\n${rows.join('')}`;
}

/** The targets of queries over one history; ratios only if two checkouts were compared. */
export function aimsOfQueries(result: AskResult): Aim[] {
  const { events, sets, byHand, loadedPerSecond } = result;
  const isLarge = events >= LARGE_EVENTS;
  const at = `${(events / 1_000_000).toLocaleString('en')} M events`;
  const aims: Aim[] = [];
  for (const set of sets.filter(({ name }) => name !== 'attribution')) {
    const found = ratioOf(sumOf(set));
    const atMost = isLarge && set.name === 'no filter' ? LARGE_RATIO_MAX : RATIO_MAX;
    if (found !== undefined) {
      aims.push({ figure: `${at}, all panels, ${set.name}: ratio to the other`, found, atMost });
    }
  }
  if (isLarge) aims.push(...aimsOfAttribution(at, result));
  for (const { panel, ms, byHandMs } of byHand) {
    const figure = `${at}, ${panel}: ratio to the statement by hand`;
    aims.push({ figure, found: ms / byHandMs, atMost: BY_HAND_MAX });
  }
  const [here, against] = loadedPerSecond;
  if (here !== undefined && against !== undefined) {
    const figure = `${at}, loaded a second: ratio to the other`;
    aims.push({ figure, found: here / against, atLeast: LOADING_MIN });
  }
  return aims;
}

function aimsOfAttribution(at: string, { sets }: AskResult): Aim[] {
  const models = sets.find(({ name }) => name === 'attribution')?.timings ?? [];
  return models.map(({ name, ms }) => ({
    figure: `${at}, attribution by ${name}: ms`,
    found: ms,
    atMost: name === 'data_driven' ? DATA_DRIVEN_MAX_MS : RULE_MAX_MS,
  }));
}

/** The target for all tables on disk. */
export function aimsOfDisk({ bytesByTable }: DiskResult): Aim[] {
  const found = Object.values(bytesByTable).reduce((sum, bytes) => sum + bytes, 0);
  return [{ figure: 'bytes on disk for an event of the demo', found, atMost: BYTES_MAX }];
}

/** The targets of ingest. */
export function aimsOfIngest({ figures, idle }: IngestResult): Aim[] {
  const ratios = figures.map(({ kind, ratio }) => ({
    figure: `${kind}: ratio to bare node:http`,
    found: ratio,
    atLeast: INGEST_MIN[kind],
  }));
  return [...ratios, { figure: 'idle memory, MB', found: idle.residentMb, atMost: IDLE_MAX_MB }];
}

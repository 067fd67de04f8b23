import type { AskResult } from './ask-history.ts';
import { ratioOf, sumOf, type Timing, type TimingSet } from './timing.ts';

/** The result as tables. */
export function toText(result: AskResult): string {
  return `${toHead(result)}
${result.sets.map(toTable).join('\n')}
${byHandTable(result.byHand)}
${result.refusals.map((refusal) => `Refused: ${refusal}\n`).join('')}`;
}

/** What the docs show: the sum of each set of panels, and the panels beside statements by hand. */
export function toDocsText(result: AskResult): string {
  const sums = result.sets.map((set) => {
    const sum = set.atOnce ?? sumOf(set);
    return toRow({ ...sum, name: `${set.name}: ${sum.name}` });
  });
  return `${toHead(result)}
| panels | here | against | ratio |
|---|---|---|---|
${sums.join('')}
${byHandTable(result.byHand)}`;
}

function toHead({ events, days, failures, loadedPerSecond, bytesPerEvent }: AskResult): string {
  const round = (value: number) => Math.round(value).toLocaleString('en');
  return `${round(events)} events, the last ${days} days (attribution: 91), medians in ms; ${failures} requests of the traffic failed.
Loaded a second: ${pair(loadedPerSecond, round)}. Bytes on disk for each event: ${pair(bytesPerEvent, (bytes) => bytes.toFixed(1))}.
`;
}

function toTable(set: TimingSet): string {
  const last = [sumOf(set), ...(set.atOnce === undefined ? [] : [set.atOnce])];
  return `| ${set.name} | here | against | ratio |
|---|---|---|---|
${[...set.timings, ...last].map(toRow).join('')}`;
}

function toRow(timing: Timing): string {
  const { name, ms, againstMs, difference } = timing;
  const ratio = ratioOf(timing)?.toFixed(2) ?? '';
  const remark = difference === undefined ? '' : ` (other answers: ${difference})`;
  return `| ${name}${remark} | ${ms.toFixed(0)} | ${againstMs?.toFixed(0) ?? ''} | ${ratio} |\n`;
}

function byHandTable(byHand: AskResult['byHand']): string {
  if (byHand.length === 0) return '';
  const rows = byHand.map(({ panel, ms, byHandMs }) => {
    return `| ${panel} | ${ms.toFixed(0)} | ${byHandMs.toFixed(0)} | ${(ms / byHandMs).toFixed(2)} |\n`;
  });
  return `| no filter | here | statement by hand | ratio |
|---|---|---|---|
${rows.join('')}`;
}

function pair(values: readonly number[], toCell: (value: number) => string): string {
  const [here, against] = values;
  if (here === undefined) return '';
  if (against === undefined) return toCell(here);
  return `${toCell(here)} (against ${toCell(against)}, ${(here / against).toFixed(2)})`;
}

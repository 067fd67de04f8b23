import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from '#cli/demo/chance.ts';
import { type JournalFiles, openJournalFiles } from '#journal/journal-files.ts';
import { damageFile } from './damage.ts';

/** The outcome for damaged journals, each counted once. */
export type JournalDamage = {
  points: number;
  acknowledged: number;
  /** Damage reported in the log or by a batch that is set aside. */
  reported: number;
  /** Damage after which every batch was recovered all the same. */
  harmless: number;
  /** Lost batches that were reported. */
  lostAndReported: number;
  /** Batches lost silently, which must never happen. */
  lostInSilence: number;
  /** Lines that were never appended. */
  foreign: number;
  /** Batches already in the warehouse, sent again without asking it. */
  sentAgain: number;
  /** Journals that could not be opened. */
  dead: number;
  readonly faults: string[];
};

const BATCHES = 40;
const SHIPPED = 14;
const LIMITS = { sizeBytes: 20_000, rows: 6 };

/** Damages copies of journals, one file of one copy at a time, then opens and drains each. */
export function damageJournals(
  chance: Chance,
  points: number,
  log: (line: string) => void,
): JournalDamage {
  const found: JournalDamage = {
    ...{
      points: 0,
      acknowledged: 0,
      reported: 0,
      harmless: 0,
      lostAndReported: 0,
      lostInSilence: 0,
    },
    ...{ foreign: 0, sentAgain: 0, dead: 0, faults: [] },
  };
  const folder = mkdtempSync(join(tmpdir(), 'tributary-torture-'));
  try {
    for (let point = 0; point < points; point++) {
      const made = makeJournal(join(folder, 'live'), chance, chance.isTrue(0.7));
      const work = join(folder, 'work');
      rmSync(work, { recursive: true, force: true });
      cpSync(made.folder, work, { recursive: true });
      damageOne(work, chance, made, found);
      if (point % 100 === 99) log(`journal ${point + 1} of ${points}`);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Made = {
  readonly folder: string;
  readonly lines: ReadonlySet<string>;
  readonly shipped: Set<string>;
};

/** A journal with shipped batches, one shipment in flight, and waiting batches. */
function makeJournal(folder: string, chance: Chance, isKilled: boolean): Made {
  rmSync(folder, { recursive: true, force: true });
  const left = join(folder, 'left');
  const journal = openJournalFiles(join(folder, 'open'), { limits: LIMITS });
  const [lines, shipped] = [new Set<string>(), new Set<string>()];
  for (let number = 1; number <= BATCHES; number++) {
    const seq = journal.lastSeq + number;
    const text = chance.digits(chance.isTrue(0.2) ? chance.whole(5_000, 20_000) : 400);
    const line = `{"seq":${seq},"text":"${text}"}\n`;
    lines.add(line);
    journal.append([{ seq, rows: 1, lines: line }]);
    if (number === SHIPPED) ship(journal, (line) => shipped.add(line));
  }
  journal.nextShipment();
  if (isKilled) cpSync(join(folder, 'open'), left, { recursive: true });
  journal.close();
  if (!isKilled) cpSync(join(folder, 'open'), left, { recursive: true });
  return { folder: left, lines, shipped };
}

function ship(journal: JournalFiles, take: (line: string, isInDoubt: boolean) => void): void {
  for (;;) {
    const shipment = journal.nextShipment();
    if (shipment === undefined) return;
    for (const line of shipment.lines.toString().split('\n')) {
      if (line !== '') take(`${line}\n`, shipment.isInDoubt === true);
    }
    shipment.confirm();
  }
}

function damageOne(folder: string, chance: Chance, made: Made, found: JournalDamage): void {
  const name = readdirSync(folder).find((each) => each.endsWith('.db')) ?? '';
  const files = ['', '', '', '-wal', '-wal', '-wal', '-wal', '-shm', '-mark']
    .map((end) => join(folder, name + end))
    .filter(existsSync);
  const file = files[chance.whole(0, files.length - 1)] ?? '';
  const damage = `${file.slice(folder.length)}: ${damageFile(file, chance)}`;
  const troubles: string[] = [];
  const out = new Set<string>();
  let [foreign, sentAgain, setAside, dead] = [0, 0, 0, 0];
  try {
    const journal = openJournalFiles(folder, { onTrouble: (trouble) => troubles.push(trouble) });
    ship(journal, (line, isInDoubt) => {
      if (!made.lines.has(line)) foreign += 1;
      if (made.shipped.has(line) && !isInDoubt) sentAgain += 1;
      out.add(line);
    });
    setAside = journal.setAsideBatches();
    journal.close();
  } catch (error) {
    dead = 1;
    troubles.push(String(error));
  }
  const missing = [...made.lines].filter((line) => !made.shipped.has(line) && !out.has(line));
  const isReported = troubles.length > 0 || setAside > 0;
  found.points += 1;
  found.acknowledged += made.lines.size;
  found.reported += isReported ? 1 : 0;
  found.harmless += missing.length === 0 ? 1 : 0;
  found[isReported ? 'lostAndReported' : 'lostInSilence'] += missing.length;
  found.foreign += foreign;
  found.sentAgain += sentAgain;
  found.dead += dead;
  const isFault = foreign + sentAgain + dead > 0 || (missing.length > 0 && !isReported);
  if (isFault) found.faults.push(`${damage} (${troubles.join('; ')})`);
}

import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '#cli/demo/chance.ts';
import type { Oracle } from '../oracle.ts';
import { countEvents, type PlainShipment, readArchivePlainly } from '../plain-archive.ts';
import { readEvents } from '../recount.ts';
import { runCommand } from '../run-command.ts';
import { reopenTortureServer, type TortureServer } from '../torture-server.ts';
import { damageFile } from './damage.ts';

/** The outcome for damaged archives, each counted once. */
export type ArchiveDamage = {
  points: number;
  /** Archives that `rebuild` reported as incomplete. */
  reported: number;
  /** Archives that were fully recovered all the same. */
  harmless: number;
  /** Events in the damaged shipments. */
  touched: number;
  /** Events that a rebuild did not recover. */
  lost: number;
  /** Those of them that were in no damaged shipment. */
  lostBesides: number;
  readonly faults: string[];
};

type Rebuilt = {
  readonly in_place: boolean;
  readonly verified: boolean;
  readonly differences: readonly { readonly what: string }[];
};

/**
 * Damages copies of a stopped server's archive, one file at a time. `rebuild` must report it and keep the old
 * warehouse; with accepted gaps it must recover every event outside the damaged shipments.
 */
export async function damageArchives(options: {
  readonly server: TortureServer;
  readonly oracle: Oracle;
  readonly chance: Chance;
  readonly points: number;
  log(line: string): void;
}): Promise<ArchiveDamage> {
  const { server, chance, points, log } = options;
  const shipments = readArchivePlainly(server.dataDir);
  const files = [...new Set(shipments.map(({ file }) => file))];
  const found: ArchiveDamage = {
    ...{ points: 0, reported: 0, harmless: 0, touched: 0, lost: 0, lostBesides: 0, faults: [] },
  };
  const work = `${server.dataDir}-damaged`;
  try {
    for (let point = 0; point < points; point++) {
      rmSync(work, { recursive: true, force: true });
      cpSync(server.dataDir, work, { recursive: true });
      const file = files[chance.whole(0, files.length - 1)] ?? '';
      const path = join(work, 'archive', file);
      const before = readFileSync(path);
      const damage = `${file}: ${damageFile(path, chance, true)}`;
      log(`archive ${point + 1} of ${points}: ${damage}`);
      const { from, to } = findChange(before, existsSync(path) ? readFileSync(path) : undefined);
      const isTouched = (each: PlainShipment) =>
        each.file === file && each.from < to && each.to > from;
      const whole = shipments.filter((each) => !isTouched(each));
      const fault = await endure({ ...options, work, file, shipments, whole, found });
      found.points += 1;
      if (fault !== undefined) found.faults.push(`${damage}: ${fault}`);
    }
    return found;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The bytes that differ; for a truncated or missing file, up to its original end. */
function findChange(before: Buffer, after = Buffer.alloc(0)): { from: number; to: number } {
  const from = before.findIndex((byte, index) => byte !== after[index]);
  const to = before.findLastIndex((byte, index) => byte !== after[index]) + 1;
  return { from: from === -1 ? before.length : from, to };
}

type Point = {
  readonly server: TortureServer;
  readonly oracle: Oracle;
  readonly work: string;
  readonly file: string;
  readonly shipments: readonly PlainShipment[];
  /** The undamaged ones. */
  readonly whole: readonly PlainShipment[];
  readonly found: ArchiveDamage;
};

/** How a rebuild mishandled this damage; `undefined` if it did not. */
async function endure(point: Point): Promise<string | undefined> {
  const { server, work, file, found } = point;
  const rebuilt = await runCommand(['rebuild', '--json'], work);
  const report = parseReport(rebuilt.stdout);
  if (report === undefined) return `rebuild gave no report: ${rebuilt.text}`;
  const isNamed = report.differences.some(({ what }) => what.includes(file));
  if (rebuilt.code !== 0) await runCommand(['rebuild', '--accept-gaps', '--json'], work);
  const verified = await runCommand(['verify', '--json'], work);
  const reopened = await reopenTortureServer(work, server.key);
  const events = await readEvents(reopened).finally(() => reopened.stop());

  const { lost, besides, touched, foreign } = compare(point, events);
  found.touched += touched;
  found.lost += lost;
  found.lostBesides += besides;
  found[rebuilt.code === 0 ? 'harmless' : 'reported'] += 1;
  if (verified.code !== 0) return `what was accepted differs: ${verified.text}`;
  if (foreign > 0) return `${foreign} events are there twice, or were never sent`;
  if (besides > 0) return `${besides} events outside the damage are lost`;
  if (lost === 0) return undefined;
  if (rebuilt.code === 0 || report.verified) return `${lost} events are lost in silence`;
  if (report.in_place) return 'the warehouse was replaced by one that lacks events';
  const isShortened = readLength(work, file) < readLength(server.dataDir, file);
  return isNamed || isShortened ? undefined : `${file} is not named`;
}

function compare({ oracle, shipments, whole }: Point, events: ReadonlyMap<string, number>) {
  const faults = oracle.compareEvents(events);
  const kept = countEvents(whole);
  const touched = [...countEvents(shipments).keys()].filter((id) => !kept.has(id));
  return {
    lost: faults.lost,
    besides: [...kept.keys()].filter((id) => !events.has(id)).length,
    touched: touched.length,
    foreign: faults.foreign + faults.doubled + faults.refusedButThere,
  };
}

function parseReport(text: string): Rebuilt | undefined {
  try {
    return JSON.parse(text) as Rebuilt;
  } catch {
    return undefined;
  }
}

function readLength(dataDir: string, file: string): number {
  const path = join(dataDir, 'archive', file);
  return existsSync(path) ? readFileSync(path).length : 0;
}

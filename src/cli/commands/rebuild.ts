import { Command } from 'commander';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, JSON_OPTION, writeAnswer } from '../answer.ts';
import {
  type RebuildOptions,
  type Rebuilt,
  rebuildWarehouse,
} from '../rebuild/rebuild-warehouse.ts';
import type { Gap } from '../verify/count.ts';
import { toText } from '../verify/to-text.ts';
import { toValues } from '../verify/to-values.ts';

/** `tributary rebuild`: makes the warehouse anew; exits with 1 when its counts differ. */
export function rebuildCommand(): Command {
  return new Command('rebuild')
    .description('make the warehouse anew from archive and ledger, then verify it')
    .option('--fresh', 'begin anew instead of going on where a killed rebuild has come to')
    .option('--accept-gaps', 'use it although counts differ, as when the archive lacks days')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
Stop the server first. The old warehouse stays as it is until the new one is verified, and is
replaced only when nothing differs. Killed, it goes on from there when it is called again. After one
that ended with differences, the next begins anew, and --accept-gaps takes that one as it is.`,
    )
    .action(async (options: AnswerOptions & RebuildOptions) => {
      const rebuilt = await rebuildWarehouse(readSettings(), options);
      writeAnswer(options, toValue(rebuilt), toReport(rebuilt));
      process.exitCode = rebuilt.counts.every((count) => count.agrees) ? 0 : 1;
    });
}

function toValue(rebuilt: Rebuilt) {
  return {
    in_place: rebuilt.inPlace,
    resumed: rebuilt.resumed,
    repeated: rebuilt.isRepeated,
    events: rebuilt.events,
    payment_rows: rebuilt.paymentRows,
    damaged_shipments: rebuilt.skipped.filter(({ isShipment }) => isShipment).length,
    damaged_files: toDamagedFiles(rebuilt),
    ...toValues(rebuilt.counts),
  };
}

function toDamagedFiles({ skipped }: Rebuilt) {
  return [...Map.groupBy(skipped, ({ path }) => path)].map(([file, places]) => ({
    file,
    places: places.length,
    skipped_bytes: places.reduce((sum, { from, to }) => sum + to - from, 0),
  }));
}

function toReport(rebuilt: Rebuilt): string {
  const count = (number: number) => number.toLocaleString('en');
  const damaged = toDamagedFiles(rebuilt).map(
    ({ file, places, skipped_bytes }) =>
      `\nDamaged in the archive: ${file}, ${count(skipped_bytes)} bytes skipped in ${places} ${places === 1 ? 'place' : 'places'}.`,
  );
  const place = rebuilt.inPlace
    ? `The new warehouse is in place.${toAccepted(rebuilt)}`
    : `The old warehouse stays. ${toAdvice(rebuilt)}`;
  const repeated = rebuilt.isRepeated
    ? 'The last rebuild ended with differences, so this one began anew.\n\n'
    : '';
  const unreadable = rebuilt.wasUnreadable
    ? 'How far the last rebuild had come cannot be read, so this one began anew.\n\n'
    : '';
  return `${repeated}${unreadable}${toText(rebuilt.counts)}

${count(rebuilt.events)} events and ${count(rebuilt.paymentRows)} rows of payments inserted${rebuilt.resumed ? ' by this run, which went on from another' : ''}.${damaged.join('')}
${place}`;
}

function toAdvice(rebuilt: Rebuilt): string {
  if (hasGaps(rebuilt)) {
    return `${toWish(rebuilt)}, if you can, and call "rebuild" again: it
begins anew. Or "rebuild --accept-gaps" puts the new warehouse in place as it is.`;
  }
  return `Nothing differs for want of the archive, so that another "rebuild" alone hardly helps.
What to do about damaged journals and batches that are set aside, "doctor" tells. All else that differs is a
fault of Tributary or of the disk: please report it. "rebuild --accept-gaps" puts the new warehouse in place
as it is; "verify" goes on to tell what differs.`;
}

function toWish(rebuilt: Rebuilt): string {
  const lacks = gapsOf(rebuilt).some(({ most }) => most >= 0);
  return lacks ? 'Bring back what the archive lacks' : 'Take away what the archive has too much';
}

function toAccepted(rebuilt: Rebuilt): string {
  return hasGaps(rebuilt) ? ' "verify" takes the gaps of journals and archive for accepted.' : '';
}

/** Whether archive and journals disagree, and not only what is made of them. */
function hasGaps(rebuilt: Rebuilt): boolean {
  return gapsOf(rebuilt).length > 0;
}

function gapsOf({ counts }: Rebuilt): Gap[] {
  return counts.flatMap(({ agrees, gap }) => (agrees || gap === undefined ? [] : [gap]));
}

import type { Command } from 'commander';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../answer.ts';
import {
  type RebuildOptions,
  type Rebuilt,
  rebuildWarehouse,
} from '../rebuild/rebuild-warehouse.ts';
import { toText, toValues } from '../verify/report-counts.ts';

/** `tributary rebuild`: makes the warehouse anew; exits with 1 when its counts differ. */
export function rebuildCommand(): Command {
  return jsonCommand('rebuild', 'make the warehouse anew from archive and ledger, then verify it')
    .option('--accept-gaps', 'use it although counts differ, as when the archive lacks days')
    .addHelpText(
      'after',
      `
Stop the server first. The old warehouse stays as it is until the new one is verified, and is
replaced only when nothing differs, or with --accept-gaps. Killed, the next call begins anew.`,
    )
    .action(async (options: AnswerOptions & RebuildOptions) => {
      const rebuilt = await rebuildWarehouse(readSettings(), options);
      writeAnswer(options, toValue(rebuilt), toReport(rebuilt));
      process.exitCode = rebuilt.counts.every((count) => count.agrees) ? 0 : 1;
    });
}

function toValue({ inPlace, events, paymentRows, counts }: Rebuilt) {
  return { in_place: inPlace, events, payment_rows: paymentRows, ...toValues(counts) };
}

function toReport(rebuilt: Rebuilt): string {
  const count = (number: number) => number.toLocaleString('en');
  const hasGaps = gapsOf(rebuilt).length > 0;
  const accepted = hasGaps ? ' "verify" accepts the gaps of journals and archive from now on.' : '';
  return `${toText(rebuilt.counts)}

${count(rebuilt.events)} events and ${count(rebuilt.paymentRows)} rows of payments inserted.
${rebuilt.inPlace ? `The new warehouse is in place.${accepted}` : `The old warehouse stays. ${toAdvice(rebuilt)}`}`;
}

function toAdvice(rebuilt: Rebuilt): string {
  const gaps = gapsOf(rebuilt);
  if (gaps.length === 0) {
    return `Archive and journals agree, so another "rebuild" alone is unlikely to help.
"doctor" says what to do about damaged journals and batches that are set aside. Any other difference is
a fault of Tributary or of the disk: please report it. "rebuild --accept-gaps" uses the new warehouse
as it is; "verify" goes on reporting what differs.`;
  }
  const lacks = gaps.some(({ most }) => most >= 0);
  return `${lacks ? 'Restore what the archive lacks' : 'Remove what the archive has too much'}, if you can, and call "rebuild" again.
Or "rebuild --accept-gaps" uses the new warehouse as it is.`;
}

/** Where archive and journals disagree, and not only what is made of them. */
function gapsOf({ counts }: Rebuilt) {
  return counts.flatMap(({ agrees, gap }) => (agrees || gap === undefined ? [] : [gap]));
}

import type { Command } from 'commander';
import { countNoun } from '#domain/count-noun.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';
import {
  type RebuildOptions,
  type Rebuilt,
  rebuildWarehouse,
} from '../rebuild/rebuild-warehouse.ts';
import { formatCounts, toValues } from '../verify/report-counts.ts';

/** `tributary rebuild`: builds a new warehouse; exits with 1 if its counts differ. */
export function rebuildCommand(): Command {
  return jsonCommand('rebuild', 'build a new warehouse from archive and ledger, and verify it')
    .option(
      '--accept-gaps',
      'use it even if counts differ, as when days are missing in the archive',
    )
    .addHelpText(
      'after',
      `
Stop the server first. The old warehouse is kept until the new one is verified. It is replaced only
if nothing differs, or with --accept-gaps. If the command is killed, the next run starts over.`,
    )
    .action(async (options: AnswerOptions & RebuildOptions) => {
      const rebuilt = await rebuildWarehouse(readSettings(), options);
      const { inPlace, events, paymentRows, counts } = rebuilt;
      const value = { in_place: inPlace, events, payment_rows: paymentRows, ...toValues(counts) };
      writeAnswer(options, value, toReport(rebuilt));
      process.exitCode = counts.every((count) => count.agrees) ? 0 : 1;
    });
}

function toReport(rebuilt: Rebuilt): string {
  const hasGaps = gapsOf(rebuilt).length > 0;
  const accepted = hasGaps ? ' "verify" accepts the gaps in journals and archive from now on.' : '';
  return `${formatCounts(rebuilt.counts)}

Inserted ${countNoun(rebuilt.events, 'event')} and ${countNoun(rebuilt.paymentRows, 'payment row')}.
${rebuilt.inPlace ? `The new warehouse is in place.${accepted}` : `The old warehouse stays. ${toAdvice(rebuilt)}`}`;
}

function toAdvice(rebuilt: Rebuilt): string {
  const gaps = gapsOf(rebuilt);
  if (gaps.length === 0) {
    return `Archive and journals agree, so another "rebuild" is unlikely to help.
"doctor" says what to do about damaged journals and batches that are set aside. Any other difference is
a bug in Tributary or a disk fault: please report it. "rebuild --accept-gaps" uses the new warehouse
as it is; "verify" will keep reporting the differences.`;
  }
  const lacks = gaps.some(({ most }) => most >= 0);
  return `${lacks ? 'Restore the missing parts of the archive' : 'Remove the surplus from the archive'} if you can, and run "rebuild" again.
To use the new warehouse as it is, run "rebuild --accept-gaps".`;
}

/** The differences between archive and journals, without those in derived tables. */
function gapsOf({ counts }: Rebuilt) {
  return counts.flatMap(({ agrees, gap }) => (agrees || gap === undefined ? [] : [gap]));
}

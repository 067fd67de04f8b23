import { Command } from 'commander';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { readSettings } from '#settings.ts';
import { JSON_OPTION, toTable, writeAnswer } from '../answer.ts';
import type { Count } from '../verify/count.ts';
import { verifyCounts } from '../verify/verify-counts.ts';

/** `tributary verify`: counts the stores against each other; exits with 1 when any differ. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('count journal, ledger and warehouse against each other')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExits with 1 when a count differs. Nothing is changed.')
    .action(async (options: { json?: boolean }) => {
      const settings = readSettings();
      const counts = await withWarehouse(settings, (warehouse, state) =>
        verifyCounts(dataPathsOf(settings.dataDir), warehouse, state),
      );
      const differences = counts.filter((count) => !count.agrees);
      writeAnswer(
        options,
        { verified: differences.length === 0, counts, differences },
        toText(counts, differences.length),
      );
      process.exitCode = differences.length === 0 ? 0 : 1;
    });
}

function toText(counts: readonly Count[], differences: number): string {
  const table = toTable(
    ['counted', 'expected', 'in the warehouse', ''],
    counts.map(({ what, expected, found, agrees }) => [
      ...[what, expected, found],
      agrees ? 'ok' : 'DIFFERS',
    ]),
  );
  const verdict =
    differences === 0 ? 'Nothing differs.' : `${differences} of ${counts.length} differ.`;
  return `${table}\n\n${verdict}`;
}

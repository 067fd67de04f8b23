import { Command } from 'commander';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { readSettings } from '#settings.ts';
import { JSON_OPTION, writeAnswer } from '../answer.ts';
import { toText } from '../verify/to-text.ts';
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
        toText(counts),
      );
      process.exitCode = differences.length === 0 ? 0 : 1;
    });
}

import type { Command } from 'commander';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../answer.ts';
import { toText, toValues } from '../verify/report-counts.ts';
import { verifyCounts } from '../verify/verify-counts.ts';

type VerifyOptions = AnswerOptions & { readonly skipArchive?: boolean };

/** `tributary verify`: counts the stores against each other; exits with 1 when any differ. */
export function verifyCommand(): Command {
  return jsonCommand('verify', 'count archive, journal, ledger and warehouse against each other')
    .option('--skip-archive', 'do not read the archive, which takes a while when it is large')
    .addHelpText(
      'after',
      `
Events are counted by journal, and by site, type and day (UTC) as the archive has them; payments and
refunds with their exact sums by site, currency and day as the ledger has them. Days are reported where
they differ. Exits with 1 when a count differs. Gaps that a rebuild accepted (--accept-gaps) are
reported and agree. Nothing is changed.`,
    )
    .action(async (options: VerifyOptions) => {
      const settings = readSettings();
      const counts = await withWarehouse(settings, (warehouse, { isServing }) =>
        verifyCounts(dataPathsOf(settings.dataDir), warehouse, {
          isServing,
          skipArchive: options.skipArchive,
          archiveDays: settings.archiveDays,
        }),
      );
      const values = toValues(counts);
      writeAnswer(options, values, toText(counts));
      process.exitCode = values.verified ? 0 : 1;
    });
}

import type { Command } from 'commander';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';
import { formatCounts, toValues } from '../verify/report-counts.ts';
import { verifyCounts } from '../verify/verify-counts.ts';

type VerifyOptions = AnswerOptions & { readonly skipArchive?: boolean };

/** `tributary verify`: compares the stores with each other; exits with 1 if any count differs. */
export function verifyCommand(): Command {
  return jsonCommand('verify', 'compare archive, journal, ledger and warehouse with each other')
    .option('--skip-archive', 'do not read the archive, which is slow if it is large')
    .addHelpText(
      'after',
      `
Compares the warehouse's events with the journals (by journal) and the archive (by site, type and UTC
day), and its payments, refunds and costs with the ledger (by site, currency and day, with exact sums,
also as converted). Lists the days that differ. Exits with 1 if a count differs. Gaps accepted by
"rebuild --accept-gaps" are listed but count as agreement. Changes nothing.`,
    )
    .action(async (options: VerifyOptions) => {
      const settings = readSettings();
      const counts = await withWarehouse(settings, (warehouse, { isServing }) =>
        verifyCounts(dataPathsOf(settings.dataDir, settings.databaseUrl), warehouse, {
          isServing,
          skipArchive: options.skipArchive,
          archiveDays: settings.archiveDays,
        }),
      );
      const values = toValues(counts);
      writeAnswer(options, values, formatCounts(counts));
      process.exitCode = values.verified ? 0 : 1;
    });
}

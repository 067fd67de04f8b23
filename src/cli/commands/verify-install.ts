import type { Command } from 'commander';
import type { InstallAnswer } from '#contract/sites/install.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { createPaymentReports } from '#report/install/create-payment-reports.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';
import { findPublicUrl } from '../stores/find-server.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

/** `tributary verify-install`: says whether pageviews, goals and payments of a site arrive. */
export function verifyInstallCommand(): Command {
  return jsonCommand('verify-install', 'say what a site has installed, and what to add')
    .argument('<site>', 'the site’s domain or id')
    .addHelpText('after', '\nThe exit code is 1 if something is missing.')
    .action((idOrDomain: string, options: AnswerOptions) =>
      withLedger(async (ledger) => {
        const site = await findSiteOrThrow(ledger, idOrDomain);
        const found = await withWarehouse(readSettings(), (warehouse) => {
          const now = Date.now;
          const reports = createReports({ warehouse, now });
          const { verifyInstall } = createPaymentReports({ warehouse, ledger, reports, now });
          return verifyInstall(site, findPublicUrl()).finally(reports.close);
        });
        writeAnswer(options, found, found.checks.map(toLines).join('\n'));
        process.exitCode = found.installed ? 0 : 1;
      }),
    );
}

function toLines({ name, ok, message, add }: InstallAnswer['checks'][number]): string {
  const line = `${ok ? 'ok     ' : 'MISSING'} ${name}: ${message}`;
  return add === undefined ? line : `${line}\n\n${add.replaceAll(/^/gm, '  ')}\n`;
}

import { createExplainPayment } from '../payments/explain-payment.ts';
import { createListPayments } from '../payments/list-payments.ts';
import type { PaymentLedger } from '../payments/sum-payments.ts';
import type { PeopleLedger } from '../people/people-deps.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { FindOldRates } from '../query/answer/look-up.ts';
import type { Reports } from '../reports/create-reports.ts';
import { createVerifyInstall, type InstallLedger } from './verify-install.ts';

type Parts = {
  readonly warehouse: Pick<ReportWarehouse, 'select'>;
  readonly ledger: PaymentLedger & PeopleLedger & InstallLedger;
  readonly reports: Pick<Reports, 'people'>;
  readonly now: () => number;
  readonly findOldRates?: FindOldRates;
};

/** Creates what lists and explains payments, and says whether they and everything else arrive. */
export function createPaymentReports({ warehouse, ledger, reports, now, findOldRates }: Parts) {
  const listPayments = createListPayments(warehouse, ledger, findOldRates);
  const { story } = reports.people(ledger);
  const explainPayment = createExplainPayment({ listPayments, ledger, story });
  const parts = { warehouse, ledger, listPayments, explainPayment, now };
  return { listPayments, explainPayment, verifyInstall: createVerifyInstall(parts) };
}

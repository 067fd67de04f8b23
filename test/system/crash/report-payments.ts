import { openLedger } from '#ledger/open-ledger.ts';

/** Reports payments to the ledger at argv[2] forever; prints each id once it is acknowledged. */
const ledger = await openLedger({ location: process.argv[2] ?? '' });
let reported = 0;

async function report(): Promise<never> {
  for (;;) {
    const transactionId = `${process.pid}-${reported++}`;
    await ledger.acceptPayment('site_1', {
      transactionId,
      amountMinor: 2999n,
      currency: 'EUR',
      renewal: false,
      refunded: false,
      receivedAt: Date.now(),
    });
    process.stdout.write(`${transactionId}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, report));

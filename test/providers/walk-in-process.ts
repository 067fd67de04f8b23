import { openLedger } from '#ledger/open-ledger.ts';
import { portsOf, walkToEnd } from './walker-of-test.ts';

/** Walks the history of the only connection: a process that a test can kill. */
const [location = '', url = '', now = ''] = process.argv.slice(2);
const ledger = await openLedger({ location, now: () => Number(now) });
const ports = portsOf(ledger, url, {}, { now: () => Number(now), holder: `process ${now}` });
await walkToEnd(ports, location);
await ledger.close();

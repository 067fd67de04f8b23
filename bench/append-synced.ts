import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread of bare-server.ts: appends each text it receives, syncs it, and confirms. */
const file = openSync(String(workerData), 'w');
parentPort?.on('message', (text: string) => {
  writeSync(file, text);
  fdatasyncSync(file);
  parentPort?.postMessage(true);
});

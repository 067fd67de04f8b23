import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/**
 * Loaded into the server by control C1 (`NODE_OPTIONS=--import`), never by the server itself: answers the journal's
 * batches at once and writes them a moment later.
 *
 * Why: without the fsync a batch is in the kernel's memory, which survives a `kill -9` but not a power cut. Held back
 * in the process's memory, a kill loses it as a power cut would, so the row that only kills can show that it would
 * detect the loss.
 */
const HELD_BACK_MS = 250;
const APPEND = 'INSERT INTO batches (seq, rows, lines, crc)';

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function prepareHoldingBack(sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  return sql.startsWith(APPEND) ? holdBack(statement) : statement;
};

function holdBack(statement: StatementSync): StatementSync {
  return new Proxy(statement, {
    get(target, name) {
      if (name !== 'run') return Reflect.get(target, name);
      return (...values: Parameters<StatementSync['run']>) => {
        setTimeout(() => {
          target.run(...values);
          parentPort?.emit('message', { id: 0, call: { kind: 'wake' } }); // It may already be shipped and forgotten.
        }, HELD_BACK_MS);
        return { changes: 1, lastInsertRowid: 0 };
      };
    },
  });
}

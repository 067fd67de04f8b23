import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/**
 * Loaded into the server by control C1 (`NODE_OPTIONS=--import`), never by the server itself: the
 * journal's batches are answered at once and written a moment later.
 *
 * Why so: without the fsync a batch lies in the kernel's memory, which outlives a `kill -9` and not
 * a power cut. Held back in the process's own memory it is lost to a kill as it would be to a power
 * cut, so that the row which only kills can show that it would see the loss.
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
          parentPort?.emit('message', { id: 0, call: { kind: 'wake' } }); // It may be shipped and forgotten already.
        }, HELD_BACK_MS);
        return { changes: 1, lastInsertRowid: 0 };
      };
    },
  });
}

import { existsSync, rmSync, statSync } from 'node:fs';
import type { Chance } from '#cli/demo/chance.ts';
import { reopenTortureServer, type TortureServer } from '../torture-server.ts';
import { cutPower } from './cut-power.ts';
import { type TreeFolder, writeTree } from './file-tree.ts';
import { readTrace, type TracedCall } from './read-trace.ts';

/** A server whose processes all record what they do to the data directory. */
export type RecordedServer = {
  readonly server: TortureServer;
  /** The data directory's contents before it started. */
  readonly before: TreeFolder;
  /** The trace's current length: the clock of what can survive a cut. */
  now(): number;
  /** `kill -9` for all; returns what they had done until `at`. */
  end(at: number): Promise<TracedCall[]>;
};

/** Where it runs and what its processes preload. */
export type RecordedServerOptions = {
  readonly dataDir: string;
  readonly tracePath: string;
  readonly preload: readonly string[];
  readonly key: string;
};

/** An engine that cannot open what a cut left exits again and again, without an end. */
const ENGINE_EXITS_MAX = 6;

/** Starts a server on a data directory with these contents; rejects if it does not open. */
export async function startRecorded(
  { dataDir, tracePath, preload, key }: RecordedServerOptions,
  before: TreeFolder,
): Promise<RecordedServer> {
  writeTree(dataDir, before);
  rmSync(tracePath, { force: true });
  const env = {
    LD_PRELOAD: preload.join(':'),
    TORTURE_FOLDER: dataDir,
    TORTURE_TRACE: tracePath,
    UV_USE_IO_URING: '0',
  };
  const server = await reopenTortureServer(dataDir, key, env, ENGINE_EXITS_MAX);
  return {
    server,
    before,
    now: () => (existsSync(tracePath) ? statSync(tracePath).size : 0),
    async end(at) {
      await server.killAll();
      server.cleanUp();
      return readTrace(tracePath).filter((call) => call.endsAt <= at);
    },
  };
}

/** What remains if the power goes after the first `count` calls. */
export function cutAfter(
  before: TreeFolder,
  calls: readonly TracedCall[],
  count: number,
  chance: Chance,
): TreeFolder {
  return cutPower(before, calls.slice(0, count), chance);
}

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createProgress } from '../io/create-progress.ts';

/** A file that can be read again from its beginning. */
export type OpenedFile = {
  readonly name: string;
  /** The digest of its bytes. */
  readonly digest: string;
  /** Its bytes. Shows progress if there are many. */
  openBytes(): AsyncIterable<Uint8Array>;
};

/** Shorter files are read before anybody looks. */
const PROGRESS_FROM_BYTES = 2_000_000;

/** Runs `work` with a file. "-" is stdin, which is kept in a temporary file that only its owner may read. */
export async function withFile<T>(
  path: string,
  work: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  if (path !== '-') return work(await open(path, basename(path)));
  const folder = await mkdtemp(join(tmpdir(), 'tributary-import-'));
  try {
    const copy = join(folder, 'stdin.csv');
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
    return await work(await open(copy, 'stdin'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(path: string, name: string): Promise<OpenedFile> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new Error(`There is no file ${path}.`);
  const { size } = found;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return {
    ...{ name, digest: hash.digest('hex') },
    async *openBytes() {
      const show = size < PROGRESS_FROM_BYTES ? () => {} : createProgress(size, `bytes of ${name}`);
      let passed = 0;
      for await (const chunk of createReadStream(path)) {
        yield chunk;
        passed += chunk.length;
        show(passed);
      }
    },
  };
}

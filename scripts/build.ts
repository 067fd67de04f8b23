import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The browser script in the three forms in which it is served. */
export type BuiltTracker = {
  readonly plain: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
};

/** Bundles `src/tracker` into one script without dependencies. The same source, the same bytes. */
export async function buildTracker(): Promise<BuiltTracker> {
  const built = await build({
    root: ROOT,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2020',
      minify: 'oxc',
      rolldownOptions: {
        input: 'src/tracker/script.ts',
        output: { format: 'iife', entryFileNames: 'script.js' },
      },
    },
  });
  const { output } = [built].flat()[0] as { output: { code?: string }[] };
  const plain = Buffer.from(output[0]?.code ?? '');
  if (plain.length === 0) throw new Error('the bundler made no tracker');
  return {
    plain,
    brotli: brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }),
  };
}

/** Writes what differs only, so that a server that watches the files is not disturbed. */
async function saveIfChanged(path: string, bytes: Buffer): Promise<void> {
  const there = await readFile(path).catch(() => undefined);
  if (there === undefined || !there.equals(bytes)) await writeFile(path, bytes);
}

if (import.meta.main) {
  const folder = `${ROOT}dist/tracker`;
  const { plain, brotli, gzip } = await buildTracker();
  await mkdir(folder, { recursive: true });
  await saveIfChanged(`${folder}/script.js`, plain);
  await saveIfChanged(`${folder}/script.js.br`, brotli);
  await saveIfChanged(`${folder}/script.js.gz`, gzip);
}

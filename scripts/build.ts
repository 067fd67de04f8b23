import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { saveDashboard } from './build-dashboard.ts';
import { buildPackages } from './build-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The browser script in its three served forms, and as an ES module. */
export type BuiltTracker = {
  readonly plain: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
  readonly module: Buffer;
};

/** Bundles `src/tracker` into one script without dependencies. The build is reproducible. */
export async function buildTracker(): Promise<BuiltTracker> {
  const built = await build({
    root: ROOT,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: 'oxc',
      rolldownOptions: {
        input: 'src/tracker/script.ts',
        output: { format: 'es', entryFileNames: 'script.js' },
      },
    },
  });
  const { output } = [built].flat()[0] as { output: { code?: string }[] };
  const body = toBody(output[0]?.code ?? '');
  const plain = Buffer.from(body);
  return {
    plain,
    module: Buffer.from(toModule(body)),
    brotli: compressBest(plain),
    gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }),
  };
}

/** The smallest output of all Brotli settings; the best one depends on the bytes. */
function compressBest(plain: Buffer): Buffer {
  const forms = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_TEXT].flatMap((mode) =>
    [10, 12, 16, 22].flatMap((window) =>
      [0, 1, 2, 3].map((postfix) =>
        brotliCompressSync(plain, {
          params: {
            [constants.BROTLI_PARAM_MODE]: mode,
            [constants.BROTLI_PARAM_LGWIN]: window,
            [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          },
        }),
      ),
    ),
  );
  return forms.reduce((best, form) => (form.length < best.length ? form : best));
}

/**
 * The script's statements, for a block: `let` stays inside it, and so does everything else.
 *
 * - Why not the bundler's own function wrapper: a block is smaller.
 * - Throws if there are none, or if something would leak out of the block.
 */
function toBody(code: string): string {
  const body = code
    .trim()
    .replace(/\bvar\b/g, 'let')
    .replace(/;$/, '');
  if (body === '') throw new Error('the bundler made no tracker');
  if (/\b(function|import|export)\b/.test(body)) throw new Error('the tracker leaves its block');
  return `try{${body}}catch{}`;
}

/** The same statements as a function; options that are `false` or undefined count as omitted. Size does not matter here. */
function toModule(body: string): string {
  const tag =
    '{dataset:Object.fromEntries(Object.entries($).filter(e=>e[1]!=null&&e[1]!==!1)),src:$.src??location.origin+"/js/script.js"}';
  const warning =
    '$.allowLocalhost||/localhost$|^(127\\.|\\[)/.test(location.hostname)&&console.warn("Tributary counts no pages of this machine. To try it here, start it with allowLocalhost.")';
  if (!body.includes('document.currentScript')) throw new Error('the tracker asks for no tag');
  return `export const start=$=>{${warning};${body.replace('document.currentScript', () => tag)};return window.tributary}\n`;
}

/** Writes only changed files, so as not to disturb a server that watches them. */
async function saveIfChanged(path: string, bytes: Buffer): Promise<void> {
  const there = await readFile(path).catch(() => undefined);
  if (there === undefined || !there.equals(bytes)) await writeFile(path, bytes);
}

async function saveTracker(): Promise<void> {
  const folder = `${ROOT}dist/tracker`;
  const { plain, brotli, gzip, module } = await buildTracker();
  await mkdir(folder, { recursive: true });
  await saveIfChanged(`${folder}/script.js`, plain);
  await saveIfChanged(`${folder}/script.js.br`, brotli);
  await saveIfChanged(`${folder}/script.js.gz`, gzip);
  const types = await readFile(`${ROOT}src/tracker/tracker.d.ts`);
  const ofPackage = `${ROOT}packages/script/dist`;
  await mkdir(ofPackage, { recursive: true });
  await saveIfChanged(`${ofPackage}/index.js`, module);
  await saveIfChanged(`${ofPackage}/index.d.ts`, types);
}

async function saveAll(): Promise<void> {
  await saveTracker();
  buildPackages();
  await saveDashboard();
}

// No `await`, because tests also load this file by `require`.
if (import.meta.main) void saveAll();

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'src');
const OUT = join(ROOT, 'dist/program');

/** What runs as a process or thread of its own. */
const MAINS = [
  ...['cli/main', 'processes/web', 'warehouse/engine/engine-child'],
  ...['app/journal-thread', 'app/ledger-thread', 'app/erase-thread'],
];
/** Loaded when they are needed, or with files of their own. */
const LEFT_OUT = [/^node:/, 'chdb', 'pg', /^better-auth/, 'nodemailer'];

/**
 * Bundles the program and its packages into few files in `dist/program`; returns the path of its main file.
 *
 * Why: a third of the processor time of a server's start goes into finding and reading 1,900 modules. The system tests
 * and the torture start hundreds of servers.
 */
export async function bundleProgram(): Promise<string> {
  const bundle = await rolldown({
    input: Object.fromEntries(MAINS.map((name) => [name, join(SOURCES, `${name}.ts`)])),
    ...{ platform: 'node', external: LEFT_OUT, plugins: [keepAddresses()], logLevel: 'warn' },
  });
  const { output } = await bundle.generate({
    ...{ format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  });
  for (const file of output) if (file.type === 'chunk') save(join(OUT, file.fileName), file.code);
  return join(OUT, 'cli/main.js');
}

/** Each module finds its files where its source is; processes and threads start from the bundle. */
function keepAddresses(): Plugin {
  return {
    name: 'keep-addresses',
    transform(code, path) {
      if (!path.startsWith(SOURCES) || !code.includes('import.meta.url')) return null;
      const own = pathToFileURL(path).href;
      return code
        .replaceAll(/new URL\('([./\w-]+)\.ts', import\.meta\.url\)/g, (_, target) => {
          const { href } = new URL(`${target}.js`, own);
          return `new URL('${href.replace(pathToFileURL(SOURCES).href, pathToFileURL(OUT).href)}')`;
        })
        .replaceAll('import.meta.url', `'${own}'`);
    },
  };
}

/** Another run may be reading the same files. */
function save(path: string, code: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === code) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}

// No `await`, because tests also load modules by `require`.
if (import.meta.main) void bundleProgram();

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { keepOpen } from '../../run/keep-open.ts';
import { installPacked } from '../packages/pack-packages.ts';
import {
  type Installed,
  installExample,
  type RunningExample,
  startExample,
} from './run-example.ts';

const NEXT = 'node_modules/next/dist/bin/next';
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' };

/**
 * The example with Next.js and the application that tests `@tributary/next`, built as one for the files of this process:
 * each is a group of routes with a root layout of its own. The build checks their types, and has neither address nor key.
 *
 * Why one: a build takes 25 s of processor time, nearly all of it for what is Next's.
 */
export const buildNext = (): Promise<Installed> => keepOpen('applications with Next.js', build);

async function build() {
  const installed = await installExample('next-stripe');
  if ('folder' in installed) {
    const { folder } = installed;
    const [app, example] = [join(folder, 'app'), join(folder, 'example')];
    renameSync(app, example);
    mkdirSync(app);
    renameSync(example, join(app, '(example)'));
    cpSync(join(ROOT, 'test/shipped/packages/next-app/app'), join(app, '(tested)'), {
      recursive: true,
    });
    await installPacked(folder);
    const env = { ...process.env, ...QUIET };
    await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: folder, env });
  }
  return { ...installed, close: async () => {} };
}

/** Starts what was built, with variables of its own. */
export function startNext(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningExample> {
  const command = [NEXT, 'start', '--hostname', '127.0.0.1', '--port', '0'];
  return startExample(folder, command, { ...QUIET, ...env });
}

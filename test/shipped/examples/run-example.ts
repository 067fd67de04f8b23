import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepOpen } from '../../run/keep-open.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** No package of an example runs a script while it is installed. */
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
/** What npm says when it does not reach the registry. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/;

/** A copy of an example with its packages, or why the registry did not give them. */
export type Installed = { readonly folder: string } | { readonly unreachable: string };

/** Copies an example and installs its packages there, from its own lockfile. Throws if that fails by its own fault. */
export const installExample = (name: string): Promise<Installed> =>
  installCopy(join(EXAMPLES, name));

/** Does the same for any folder with a lockfile, once for the files of this process: the last one removes the copy. */
export const installCopy = (of: string): Promise<Installed> =>
  keepOpen(`packages of ${of}`, () => installPackages(of));

function copySources(of: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tributary-${basename(of)}-`));
  const isSource = (path: string) => !/\/(?:node_modules|\.next)$/.test(path);
  cpSync(of, folder, { recursive: true, filter: isSource });
  return folder;
}

async function installPackages(of: string) {
  const folder = copySources(of);
  const close = async () => rmSync(folder, { recursive: true, force: true });
  try {
    const env = { ...process.env, npm_config_fetch_retries: '1' };
    await promisify(execFile)('npm', INSTALL, { cwd: folder, env });
    return { folder, close };
  } catch (error) {
    const [said] = UNREACHABLE.exec(String((error as { stderr?: string }).stderr)) ?? [];
    if (said === undefined) {
      await close();
      throw error;
    }
    return {
      unreachable: `the packages of ${basename(of)} could not be installed: ${said}`,
      close,
    };
  }
}

/** A running example. */
export interface RunningExample {
  readonly url: string;
  said(): string;
  stop(): Promise<void>;
}

/** Starts a server in an installed example. Resolves once it prints its address. */
export async function startExample(
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningExample> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const url = await readAddress(child, (line) => {
    said += `${line}\n`;
  });
  if (url === undefined) throw new Error(`the example did not start:\n${said}`);
  return {
    ...{ url, said: () => said },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function readAddress(child: ChildProcess, note: (line: string) => void) {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    note(line);
    const found = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(line);
    if (found === null) continue;
    child.stdout.on('data', (text) => note(String(text))).resume();
    return found[0];
  }
  return undefined;
}

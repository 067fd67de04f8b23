import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { readDockerfile, type Stage, type Step } from './read-dockerfile.ts';

/** What a container starts from. */
export type Image = {
  /** Folders of its root, uppermost first. */
  readonly layers: readonly string[];
  readonly stage: Stage;
};

const MIRROR = 'http://deb.debian.org/debian';
const STEP_MAX_MS = 600_000;

const run = promisify(execFile);

/** Why images cannot be built here; undefined if they can. */
export function findBuildLack(): string | undefined {
  for (const program of ['mmdebstrap', 'unshare', 'nsenter', 'setpriv']) {
    const found = ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, program)));
    if (!found) return `${program} is not installed: apt-get install mmdebstrap util-linux`;
  }
  const mounted = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return mounted.status === 0 ? undefined : 'this user may not mount anything: run it as root';
}

/**
 * Follows the steps of the Dockerfile as a builder does, in a fresh Debian.
 *
 * - Why not a builder: it needs a registry of images, and rights that machines for tests rarely have.
 * - `node:26-bookworm-slim` is Debian with this Node, its library and the npm of this machine.
 * - What `npm ci` would install from the checkout's lockfile is the checkout's `node_modules`, read-only.
 */
export async function buildImage(folder: string): Promise<Image> {
  const stages = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const bases = new Map<string, readonly string[]>();
  const built = new Map<string, readonly string[]>();
  let image: Image | undefined;
  for (const [number, stage] of stages.entries()) {
    const base = bases.get(stage.base) ?? (await makeBase(stage.base, folder));
    bases.set(stage.base, base);
    const upper = join(folder, `stage-${number}`);
    mkdirSync(upper);
    const layers = [upper, ...base];
    for (const step of stage.steps) await takeStep(step, layers, built, folder);
    built.set(stage.name ?? String(number), layers);
    image = { layers, stage };
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return image;
}

/**
 * Debian's essential packages and apt, made once; for `node:…`, with Node above them.
 *
 * Why not all packages of `debian:…-slim`: what the image needs of the rest, its Dockerfile names then, and no disk has
 * to confirm each file.
 */
async function makeBase(name: string, folder: string): Promise<readonly string[]> {
  const [, image, major, suite] = /^(?:(debian):|(?:node):(\d+)-)(\w+)-slim$/.exec(name) ?? [];
  if (suite === undefined) throw new Error(`the test has no stand-in for ${name}`);
  const debian = join(folder, suite);
  if (!existsSync(debian)) {
    const options = ['--variant=apt', '--mode=root', '--quiet', '--dpkgopt=force-unsafe-io'];
    await run('mmdebstrap', [...options, suite, debian, MIRROR], { timeout: STEP_MAX_MS });
  }
  if (image === 'debian') return [debian];
  if (major !== process.versions.node.split('.')[0]) throw new Error(`this Node is not ${major}`);
  const node = join(folder, 'node');
  const program = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const npm = dirname(dirname(realpathSync(program)));
  mkdirSync(join(node, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, join(node, 'usr/local/bin/node'));
  cpSync(npm, join(node, 'usr/local/lib/node_modules/npm'), { recursive: true });
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const [, atomic = ''] = /libatomic\S+ => (\S+)/.exec(libraries) ?? [];
  const own = join(node, 'usr', atomic.replace(/^\/usr/, '')); // Debian's /lib is a link to /usr/lib.
  mkdirSync(dirname(own), { recursive: true });
  if (atomic !== '') copyFileSync(atomic, own);
  for (const program of ['npm', 'npx']) {
    execFileSync('ln', [
      '-s',
      `../lib/node_modules/npm/bin/${program}-cli.js`,
      join(node, 'usr/local/bin', program),
    ]);
  }
  return [node, debian];
}

async function takeStep(
  step: Step,
  layers: readonly string[],
  built: ReadonlyMap<string, readonly string[]>,
  folder: string,
): Promise<void> {
  const [upper = ''] = layers;
  if (step.kind === 'run') {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...step.env };
    const [, script = step.script] = /^npm ci --ignore-scripts && (.*)/.exec(step.script) ?? [];
    const packages = script === step.script ? undefined : `${step.folder}/node_modules`;
    return inRoot(layers, folder, ['sh', '-euc', `cd ${step.folder}; ${script}`], env, packages);
  }
  const target = join(upper, step.folder, step.target);
  if (step.from === undefined) return copyContext(target);
  const layer = built.get(step.from)?.find((each) => existsSync(join(each, step.source)));
  if (layer === undefined) throw new Error(`${step.source} is in no layer of ${step.from}`);
  mkdirSync(dirname(target), { recursive: true });
  await run('cp', ['-a', join(layer, step.source), target]);
}

/** Files of the checkout that .dockerignore lets through: it begins with `*`, and names each. */
function copyContext(target: string): void {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (rules[0] !== '*') throw new Error('.dockerignore does not begin with *');
  const without = rules.filter((rule) => rule.startsWith('**/')).map((rule) => rule.slice(3));
  const filter = (path: string) => !without.includes(basename(path));
  for (const rule of rules.filter((each) => each.startsWith('!'))) {
    const name = rule.slice(1);
    if (!existsSync(join(ROOT, name))) continue;
    cpSync(join(ROOT, name), join(target, name), { recursive: true, filter });
  }
}

/** The network as this machine has it; npm's cache is mounted, as a builder's would be. */
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs'];
const FORWARDED =
  /^(https?_proxy|no_proxy|npm_config_(?!user_agent|prefix)\w+|NODE_EXTRA_CA_CERTS)$/i;

/**
 * Runs a command in the root that the layers make, which is only there for it, with the checkout's packages at `packages`.
 * Throws with its output if it fails.
 */
async function inRoot(
  layers: readonly string[],
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  packages?: string,
): Promise<void> {
  const root = join(folder, 'root');
  const work = join(folder, 'work');
  for (const each of [root, work]) mkdirSync(each, { recursive: true });
  const [upper, ...lower] = layers;
  const cache = join(homedir(), '.npm');
  const binds = NETWORK.filter((path) => existsSync(path)).map(
    (path) =>
      `mkdir -p "${root}${dirname(path)}"; [ -e "${root}${path}" ] || ${statSync(path).isDirectory() ? 'mkdir' : 'touch'} "${root}${path}"; mount --bind ${path} "${root}${path}"`,
  );
  if (packages !== undefined) {
    const [from, to] = [join(ROOT, 'node_modules'), `${root}${packages}`];
    binds.push(`mkdir ${to}; mount --bind ${from} ${to}; mount -o remount,bind,ro ${to}`);
  }
  const script = `
    mount -t overlay overlay -o lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work} ${root}
    mount -t proc proc ${root}/proc
    ${binds.join('\n')}
    mkdir -p ${cache} ${root}/root/.npm; mount --bind ${cache} ${root}/root/.npm
    exec chroot ${root} "$@"`;
  const forwarded = Object.entries(process.env).filter(([name]) => FORWARDED.test(name));
  const options = {
    env: {
      HOME: '/root',
      npm_config_prefer_offline: 'true',
      ...Object.fromEntries(forwarded),
      ...env,
    },
    ...{ timeout: STEP_MAX_MS, maxBuffer: 2 ** 26 },
  };
  const args = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-euc',
    script,
    'sh',
    ...command,
  ];
  await run('unshare', args, options).catch((error: { stdout: string; stderr: string }) => {
    const said = `${error.stdout}\n${error.stderr}`.trim().split('\n').slice(-30).join('\n');
    throw new Error(`${command.at(-1)} failed:\n${said}`);
  });
}

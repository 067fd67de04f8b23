import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Image } from './build-image.ts';

/** A container: the image's program, with a root, a process namespace and mounts of its own. */
export interface Container {
  /** Resolves with the address that it prints; undefined if it ends before. */
  readonly url: Promise<string | undefined>;
  /** Resolves with its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** All that it printed, and its log. */
  said(): string;
  /** Sends a signal to its first process, as `docker kill` does. */
  kill(signal: NodeJS.Signals): void;
  /** Runs a command in it as its user, as `docker exec` does. Resolves with its output. */
  exec(command: readonly string[]): Promise<string>;
}

/** How it is started: the options of `docker run`. */
export type ContainerOptions = {
  /** A folder to mount as the image's volume; by default there is none. */
  readonly volume?: string;
  /** Mounts the volume read-only. */
  readonly isVolumeReadOnly?: boolean;
  /** Leaves the root writable, for this container alone. */
  readonly isRootWritable?: boolean;
};

/** Where Node keeps what it compiles for the next container: half of the processor time of a start. No image has it. */
const COMPILED = '/dev/compiled';
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/** Starts a container on a free port of this machine's loopback address. */
export function runContainer(
  { layers, stage }: Image,
  folder: string,
  options: ContainerOptions,
): Container {
  const own = mkdtempSync(join(folder, 'container-'));
  const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(own, name)) as [
    ...[string, string, string],
  ];
  for (const each of [root, upper, work]) mkdirSync(each);
  const writable = options.isRootWritable ? `,upperdir=${upper},workdir=${work}` : '';
  const script = `
    mount -t overlay overlay -o lowerdir=${layers.join(':')}${writable} ${root}
    mount -t proc proc ${root}/proc
    mount -t tmpfs -o mode=755 none ${root}/dev
    for each in ${DEVICES.join(' ')}; do touch ${root}/dev/$each; mount --bind /dev/$each ${root}/dev/$each; done
    mkdir -m 777 -p ${folder}/compiled ${root}${COMPILED}; mount --bind ${folder}/compiled ${root}${COMPILED}
    ${mountVolume(`${root}${stage.volume}`, options)}
    exec /usr/sbin/chroot --userspec=${stage.user}:${stage.user} ${root} "$@"`;
  const env = {
    ...{ ...stage.env, NODE_COMPILE_CACHE: COMPILED },
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', RATES_URL: '' },
  };
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', script, 'sh'];
  const child = spawn('unshare', [...args, ...stage.command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    rmSync(own, { recursive: true, force: true });
    return code as number | null;
  });
  return {
    ...{ url: readUrl(child, () => said), ended, said: () => said },
    kill: (signal) => void process.kill(firstProcessOf(child), signal),
    async exec(command) {
      const target = ['--target', String(firstProcessOf(child)), '--mount', '--pid', '--root'];
      const user = ['--setuid', idOf(stage.user, layers), '--setgid', idOf(stage.user, layers)];
      const { stdout } = await promisify(execFile)('nsenter', [...target, ...user, ...command], {
        env,
      });
      return stdout;
    },
  };
}

function mountVolume(target: string, { volume, isVolumeReadOnly }: ContainerOptions): string {
  if (volume === undefined) return '';
  const bind = `mount --bind ${volume} ${target}`;
  return isVolumeReadOnly ? `${bind}; mount -o remount,bind,ro ${target}` : bind;
}

async function readUrl(child: ChildProcess, said: () => string): Promise<string | undefined> {
  const ended = once(child, 'close');
  for (;;) {
    const [, url] = /running at (http:\/\/\S+)/.exec(said()) ?? [];
    if (url !== undefined) return url;
    const heard = child.stdout === null ? ended : once(child.stdout, 'data');
    const isOver = await Promise.race([heard.then(() => false), ended.then(() => true)]);
    if (isOver) return /running at (http:\/\/\S+)/.exec(said())?.[1];
  }
}

/** `unshare` waits for it; in its namespace it has the number 1. */
function firstProcessOf({ pid }: ChildProcess): number {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  if (!first) throw new Error('the container has no process');
  return Number(first);
}

/** A user's number, which is its group's too. */
export function idOf(user: string, layers: readonly string[]): string {
  const lines = readFileSync(join(layers[0] ?? '', 'etc/passwd'), 'utf8').split('\n');
  const [, , id] = lines.find((line) => line.startsWith(`${user}:`))?.split(':') ?? [];
  if (id === undefined) throw new Error(`the image has no user ${user}`);
  return id;
}

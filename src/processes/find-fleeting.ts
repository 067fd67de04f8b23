import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The name that Docker and Podman give the folder of a volume that nobody named. */
const UNNAMED_VOLUME = /\/volumes\/[0-9a-f]{64}\/_data$/;

/**
 * Why a folder does not outlive its container or machine, to follow its name; undefined if it does, or if this system does
 * not say. `mounts` are the lines of `/proc/self/mountinfo`.
 *
 * Source: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
 */
export function findFleeting(
  folder: string,
  mounts: readonly string[] = readMounts(),
): string | undefined {
  const path = resolve(folder);
  const mount = mounts
    .map(parseMount)
    .filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`))
    .reduce<Mount | undefined>(deeper, undefined);
  if (mount === undefined) return undefined;
  if (mount.type === 'tmpfs') return 'is in memory: a restart empties it';
  if (mount.type === 'overlay' && mount.at === '/') return 'is deleted with this container';
  if (UNNAMED_VOLUME.test(mount.root))
    return 'is a volume without a name: the next container gets another';
  return undefined;
}

type Mount = Readonly<Record<'root' | 'at' | 'type', string>>;

/** Of two mounts at the same place, the later one is seen. */
function deeper(found: Mount | undefined, mount: Mount): Mount {
  return found !== undefined && found.at.length > mount.at.length ? found : mount;
}

/** `36 35 98:0 /root /at rw,noatime master:1 - ext3 /dev/root rw`; spaces in names are written in octal. */
function parseMount(line: string): Mount {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root = '', at = ''] = before.split(' ').map(unescapeOctal);
  return { root, at, type: after.split(' ')[0] ?? '' };
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

function readMounts(): string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  } catch {
    return []; // There is none beside Linux.
  }
}

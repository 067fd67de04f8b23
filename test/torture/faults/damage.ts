import { closeSync, fstatSync, openSync, readSync, rmSync, truncateSync, writeSync } from 'node:fs';
import type { Chance } from '#cli/demo/chance.ts';

const SECTOR_BYTES = 512;

/** Damages a file as disks do: a flipped bit, a lost sector, a torn end. Reports which. */
export function damageFile(path: string, chance: Chance, mayRemove = false): string {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const at = size === 0 ? 0 : chance.whole(0, size - 1);
    const what = chance.pick<'flip' | 'zeros' | 'noise' | 'cut' | 'remove'>([
      [6, 'flip'],
      [1, 'zeros'],
      [1, 'noise'],
      [2, 'cut'],
      [mayRemove ? 1 : 0, 'remove'],
    ]);
    switch (what) {
      case 'flip':
        flip(file, at, 1 << chance.whole(0, 7));
        break;
      case 'zeros':
      case 'noise':
        overwrite(file, { at, size, fill: what === 'zeros' ? 0 : chance.whole(1, 255) });
        break;
      case 'cut':
        truncateSync(path, at);
        break;
      case 'remove':
        rmSync(path);
    }
    return `${what} at ${at} of ${size}`;
  } finally {
    closeSync(file);
  }
}

function flip(file: number, at: number, mask: number): void {
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ mask;
  writeSync(file, byte, 0, 1, at);
}

/** A whole sector, up to the file's end. */
function overwrite(
  file: number,
  { at, size, fill }: { readonly at: number; readonly size: number; readonly fill: number },
): void {
  const start = at - (at % SECTOR_BYTES);
  const length = Math.min(SECTOR_BYTES, size - start);
  writeSync(file, Buffer.alloc(length, fill), 0, length, start);
}

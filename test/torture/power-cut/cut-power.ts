import type { Chance } from '#cli/demo/chance.ts';
import {
  emptyFolder,
  findNode,
  mapTree,
  putNode,
  removeNode,
  type TreeFile,
  type TreeFolder,
} from './file-tree.ts';
import type { TracedCall } from './read-trace.ts';
import { createUnsafeFile, type UnsafeFile } from './unsafe-file.ts';

/** A change of names: these reach the disk in the order in which they were made. */
type NameChange = (root: TreeFolder) => void;

/**
 * What a power cut after these calls leaves of the folder, which was `before` when they began.
 *
 * - Shape: a file keeps the bytes covered by its last fsync, and by chance some written since. Names made, moved and
 *   removed before the last fsync that also had to write names are kept, and by chance some later ones, never one
 *   without those before it.
 * - Why names so: journaling file systems (ext4, XFS) write them in order, and an fsync of a file that is new or has
 *   grown, or of a folder, writes all pending ones. An fdatasync of bytes overwritten in place does not, nor does one
 *   of a folder.
 */
export function cutPower(
  before: TreeFolder,
  calls: readonly TracedCall[],
  chance: Chance,
): TreeFolder {
  const disk = mapTree(before, (content: Buffer) => createUnsafeFile(content));
  const live = cloneNames(disk);
  const filesByInode = new Map<bigint, UnsafeFile>();
  const waiting: NameChange[] = [];

  function change(apply: NameChange): void {
    apply(live);
    waiting.push(apply);
  }
  function writeNames(count = waiting.length): void {
    for (const apply of waiting.splice(0, count)) apply(disk);
  }

  for (const call of calls) {
    switch (call.kind) {
      case 'open':
        filesByInode.set(call.inode, openFile(live, call, change));
        break;
      case 'write':
        filesByInode.get(call.inode)?.write(call.offset, call.bytes);
        break;
      case 'truncate':
        filesByInode.get(call.inode)?.truncate(call.sizeBytes);
        break;
      case 'sync':
        filesByInode.get(call.inode)?.sync();
        writeNames();
        break;
      case 'datasync':
        if (filesByInode.get(call.inode)?.sync() === 'grown') writeNames();
        break;
      case 'rename':
        change((root) => rename(root, call));
        break;
      case 'link':
        change((root) => {
          const node = findNode(root, call.from);
          if (node !== undefined) putNode(root, call.to, node);
        });
        break;
      case 'mkdir':
        change((root) => putNode(root, call.path, emptyFolder()));
        break;
      case 'symlink':
        change((root) => putNode(root, call.path, { kind: 'link', target: call.target }));
        break;
      case 'remove':
        change((root) => removeNode(root, call.path));
        break;
      case 'other':
        throw new Error(`the trace has a call that no cut can be made of: ${call.what}`);
    }
  }
  writeNames(chance.whole(0, waiting.length));
  return mapTree(disk, (file: UnsafeFile) => file.survive(chance));
}

/** The same files under new names. */
function cloneNames(folder: TreeFolder): TreeFolder {
  return mapTree(folder, (file: UnsafeFile) => file);
}

function openFile(
  live: TreeFolder,
  call: Extract<TracedCall, { kind: 'open' }>,
  change: (apply: NameChange) => void,
): UnsafeFile {
  const known = findNode(live, call.path);
  if (known?.kind === 'file') {
    const { content } = known as TreeFile<UnsafeFile>;
    if (call.cuts) content.truncate(0);
    return content;
  }
  const content = createUnsafeFile(undefined);
  change((root) => putNode(root, call.path, { kind: 'file', content }));
  return content;
}

function rename(root: TreeFolder, call: Extract<TracedCall, { kind: 'rename' | 'link' }>): void {
  const moved = findNode(root, call.from);
  if (moved === undefined) return;
  const replaced = findNode(root, call.to);
  removeNode(root, call.from);
  putNode(root, call.to, moved);
  if (call.swaps && replaced !== undefined) putNode(root, call.from, replaced);
}

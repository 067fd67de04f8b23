import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file, folder or link in an in-memory tree. */
export type TreeNode = TreeFile | TreeFolder | TreeLink;

/** A file of the tree; `F` is the type of its content. */
export type TreeFile<F = unknown> = { readonly kind: 'file'; content: F };
/** A folder of the tree, by name. */
export type TreeFolder = { readonly kind: 'folder'; readonly nodes: Map<string, TreeNode> };
/** A symbolic link. */
export type TreeLink = { readonly kind: 'link'; readonly target: string };

/** An empty folder. */
export function emptyFolder(): TreeFolder {
  return { kind: 'folder', nodes: new Map() };
}

/** The same folders and files, with each content mapped once. */
export function mapTree<A, B>(folder: TreeFolder, toContent: (content: A) => B): TreeFolder {
  const copy = emptyFolder();
  for (const [name, node] of folder.nodes) copy.nodes.set(name, mapNode(node, toContent));
  return copy;
}

function mapNode<A, B>(node: TreeNode, toContent: (content: A) => B): TreeNode {
  if (node.kind === 'folder') return mapTree(node, toContent);
  if (node.kind === 'link') return node;
  return { kind: 'file', content: toContent(node.content as A) };
}

/** The node at `path`, if any. */
export function findNode(root: TreeFolder, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    node = node?.kind === 'folder' ? node.nodes.get(name) : undefined;
  }
  return node;
}

/** Puts the node at `path`; does nothing if its folder is missing. */
export function putNode(root: TreeFolder, path: string, node: TreeNode): void {
  const folder = findNode(root, dirname(path));
  if (folder?.kind === 'folder') folder.nodes.set(basename(path), node);
}

/** Removes the node at `path`. */
export function removeNode(root: TreeFolder, path: string): void {
  const folder = findNode(root, dirname(path));
  if (folder?.kind === 'folder') folder.nodes.delete(basename(path));
}

/** Reads the folder at `path` on disk, its files as bytes; skips sockets and the like. */
export function readTree(path: string): TreeFolder {
  const folder = emptyFolder();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) folder.nodes.set(entry.name, readTree(inner));
    else if (entry.isSymbolicLink())
      folder.nodes.set(entry.name, { kind: 'link', target: readlinkSync(inner) });
    else if (entry.isFile())
      folder.nodes.set(entry.name, { kind: 'file', content: readFileSync(inner) });
  }
  return folder;
}

/** Makes the folder at `path` on disk contain exactly this. */
export function writeTree(path: string, folder: TreeFolder): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const [name, node] of folder.nodes) {
    const inner = join(path, name);
    if (node.kind === 'folder') writeTree(inner, node);
    else if (node.kind === 'link') symlinkSync(node.target, inner);
    else writeFileSync(inner, node.content as Buffer);
  }
}

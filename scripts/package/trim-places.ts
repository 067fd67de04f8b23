import { Reader } from 'maxmind';
import { toPlace } from '#enrich/places/open-place-database.ts';
import { createRecords } from './mmdb-records.ts';

/**
 * Reduces a database of locations in MaxMind's format (`.mmdb`) to country, region and city.
 *
 * - Every address keeps its place, as {@link toPlace} reads it: coordinates, postcodes and districts are left out, networks
 *   that differ in nothing else become one, and equal branches of the tree are stored once.
 * - Source: https://maxmind.github.io/MaxMind-DB/
 */
export function trimPlaces(source: Buffer): Buffer {
  const reader = new Reader<Record<string, never>>(source);
  const { nodeCount, nodeByteSize } = reader.metadata;
  const inside = reader as unknown as ReaderInside;
  const records = createRecords();
  const tree = createTree(nodeCount);
  const leaves = new Map<number, number>();

  /** What stands in a tree's record: a node, nothing, or a place in the data. */
  function takeOver(record: number): number {
    if (record < nodeCount) return takeOverNode(record);
    if (record === nodeCount) return NOTHING;
    return leaves.getOrInsertComputed(record, () =>
      toLeaf(records.add(toPlace(inside.resolveDataPointer(record)))),
    );
  }
  function takeOverNode(node: number): number {
    const at = node * nodeByteSize;
    return tree.add(takeOver(inside.walker.left(at)), takeOver(inside.walker.right(at)));
  }

  const root = takeOverNode(0);
  return toFile(tree.orderFrom(root), records, reader.metadata);
}

/** What a reader has, but does not declare. */
type ReaderInside = {
  readonly walker: Readonly<Record<'left' | 'right', (offset: number) => number>>;
  resolveDataPointer(record: number): unknown;
};

/** Records of the new tree while it grows: nodes are above it, places below. */
const NOTHING = 0;
const toLeaf = (offset: number) => -1 - offset;

/**
 * Nodes, each pair of records once; a pair of equal places or of nothing is that record.
 *
 * Why not a map: for millions of pairs, it takes ten times as long.
 */
function createTree(nodesMax: number) {
  const lefts = new Int32Array(nodesMax + 1);
  const rights = new Int32Array(nodesMax + 1);
  /** Where the search for a pair begins, and goes on until it finds it or a zero: a hash table. */
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * nodesMax + 2)));
  let count = 0;
  return {
    add(left: number, right: number): number {
      if (left === right && left <= NOTHING) return left;
      let slot = hash(left, right) & (slots.length - 1);
      for (;;) {
        const node = slots[slot] as number;
        if (node === 0) break;
        if (lefts[node] === left && rights[node] === right) return node;
        slot = (slot + 1) & (slots.length - 1);
      }
      count += 1;
      slots[slot] = count;
      lefts[count] = left;
      rights[count] = right;
      return count;
    },
    /** All nodes, the root first, and their numbers in this order. */
    orderFrom(root: number) {
      if (root <= NOTHING) throw new Error('the database knows no two places');
      const numberOf = (node: number) => count - node; // A root is added after everything below it.
      const pairOf = (number: number) =>
        [lefts[count - number], rights[count - number]] as [left: number, right: number];
      return { count, numberOf, pairOf };
    },
  };
}

function hash(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

type Nodes = ReturnType<ReturnType<typeof createTree>['orderFrom']>;
type Metadata = Reader<Record<string, never>>['metadata'];

/** Zeros between the tree and the data. */
const SEPARATOR_BYTES = 16;

function toFile(
  { count, numberOf, pairOf }: Nodes,
  records: ReturnType<typeof createRecords>,
  { ipVersion, databaseType, buildEpoch }: Metadata,
): Buffer {
  const toRecord = (record: number) => {
    if (record > NOTHING) return numberOf(record);
    return record === NOTHING ? count : count + SEPARATOR_BYTES - record - 1;
  };
  const data = records.toBytes();
  const bits = count + SEPARATOR_BYTES + data.length < 2 ** 24 ? 24 : 28;
  const bytes = bits / 4;
  const tree = Buffer.alloc(count * bytes + SEPARATOR_BYTES);
  for (let number = 0; number < count; number += 1) {
    const [left, right] = pairOf(number);
    writeNode(tree, number * bytes, bits, [toRecord(left), toRecord(right)]);
  }
  const metadata = records.describe({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(buildEpoch.getTime() / 1_000),
    database_type: databaseType,
    ip_version: ipVersion,
    node_count: count,
    record_size: bits,
  });
  return Buffer.concat([tree, data, metadata]);
}

/** With 28 bits, the upper four of both records share the byte between them. */
function writeNode(tree: Buffer, at: number, bits: 24 | 28, [left, right]: [number, number]): void {
  if (right >= 2 ** bits) throw new Error('the database is too large for its records');
  tree.writeUIntBE(left % 2 ** 24, at, 3);
  if (bits === 28) tree[at + 3] = ((left >>> 24) << 4) | (right >>> 24);
  tree.writeUIntBE(right % 2 ** 24, at + (bits === 28 ? 4 : 3), 3);
}

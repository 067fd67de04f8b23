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
  const tree = createTree();
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

/** Records are between this number and its negative. */
const RECORDS_MAX = 2 ** 25;

/** Nodes, each pair of records once; a pair of equal places or of nothing is that record. */
function createTree() {
  const pairs: (readonly [left: number, right: number])[] = [[NOTHING, NOTHING]];
  const known = new Map<number, number>();
  return {
    add(left: number, right: number): number {
      if (left === right && left <= NOTHING) return left;
      const key = (left + RECORDS_MAX) * 2 * RECORDS_MAX + right + RECORDS_MAX;
      return known.getOrInsertComputed(key, () => pairs.push([left, right]) - 1);
    },
    /** All nodes, the root first, and their numbers in this order. */
    orderFrom(root: number) {
      if (root <= NOTHING) throw new Error('the database knows no two places');
      const nodes = pairs.slice(1).reverse(); // A root is added after everything below it.
      return { nodes, numberOf: (node: number) => pairs.length - 1 - node };
    },
  };
}

type Nodes = ReturnType<ReturnType<typeof createTree>['orderFrom']>;
type Metadata = Reader<Record<string, never>>['metadata'];

/** Zeros between the tree and the data. */
const SEPARATOR_BYTES = 16;

function toFile(
  { nodes, numberOf }: Nodes,
  records: ReturnType<typeof createRecords>,
  { ipVersion, databaseType, buildEpoch }: Metadata,
): Buffer {
  const toRecord = (record: number) => {
    if (record > NOTHING) return numberOf(record);
    return record === NOTHING ? nodes.length : nodes.length + SEPARATOR_BYTES - record - 1;
  };
  const data = records.toBytes();
  const bits = nodes.length + SEPARATOR_BYTES + data.length < 2 ** 24 ? 24 : 28;
  const bytes = bits / 4;
  const tree = Buffer.alloc(nodes.length * bytes + SEPARATOR_BYTES);
  nodes.forEach(([left, right], number) => {
    writeNode(tree, number * bytes, bits, [toRecord(left), toRecord(right)]);
  });
  const metadata = records.describe({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(buildEpoch.getTime() / 1_000),
    database_type: databaseType,
    ip_version: ipVersion,
    node_count: nodes.length,
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

import { assert } from '#domain/assert.ts';
import { readThrift, type ThriftField, type ThriftStruct, writeThrift } from './thrift.ts';

const MAGIC = Buffer.from('PAR1');
/** Behind the footer: its length, and the magic bytes. */
const TAIL_BYTES = 8;

/** The numbers of fields in a file's footer, its row groups, their columns, and a column's description. */
const FOOTER = { rows: 3, groups: 4 } as const;
const GROUP = { columns: 1, at: 5, ordinal: 7 } as const;
const COLUMN = { at: 2, described: 3, beforeIndexes: 4, afterIndexes: 7 } as const;
/** Where the pages of data, of an index, of a dictionary and of a Bloom filter begin. */
const PAGES_AT = [9, 10, 11, 14] as const;
/** A group's place is a 16-bit number, and optional. */
const ORDINAL_MAX = 32_767;

/** Joins Parquet files of the same columns into one, which is written as they come. */
interface ParquetJoiner {
  /** What a further file adds. */
  add(file: Buffer): Buffer;
  /** The end, without which no reader takes the file. There must have been a file. */
  end(): Buffer;
}

/**
 * Creates a joiner: the row groups of all files stand one behind the other, with one footer that says where.
 *
 * - Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
export function createParquetJoiner(): ParquetJoiner {
  let written = 0;
  let rows = 0n;
  let first: ThriftStruct | undefined;
  const groups: ThriftStruct[] = [];
  return {
    add(file) {
      const { data, footer } = splitFile(file);
      const start = written === 0 ? MAGIC : Buffer.alloc(0);
      const shift = BigInt(written === 0 ? 0 : written - MAGIC.length);
      for (const group of itemsOf(footer.get(FOOTER.groups))) {
        groups.push(shiftGroup(group, shift, groups.length));
      }
      first ??= footer;
      rows += (footer.get(FOOTER.rows)?.value ?? 0n) as bigint;
      written += start.length + data.length;
      return Buffer.concat([start, data]);
    },
    end() {
      assert(first !== undefined, 'a file was added');
      const footer = new Map(first);
      set(footer, FOOTER.rows, rows);
      footer.set(FOOTER.groups, { type: LIST, value: { of: STRUCT, items: groups } });
      const bytes = writeThrift(footer);
      const length = Buffer.alloc(TAIL_BYTES - MAGIC.length);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([bytes, length, MAGIC]);
    },
  };
}

const [LIST, STRUCT] = [9, 12];

function splitFile(file: Buffer): { readonly data: Buffer; readonly footer: ThriftStruct } {
  const isWhole = file.subarray(-MAGIC.length).equals(MAGIC);
  assert(isWhole && file.length > TAIL_BYTES, 'the engine wrote a Parquet file');
  const tailAt = file.length - TAIL_BYTES;
  const footerAt = tailAt - file.readUInt32LE(tailAt);
  return {
    data: file.subarray(MAGIC.length, footerAt),
    footer: readThrift(file.subarray(footerAt, tailAt)),
  };
}

function itemsOf(field: ThriftField | undefined): readonly ThriftStruct[] {
  return (field?.value as { readonly items: readonly ThriftStruct[] } | undefined)?.items ?? [];
}

/** Moves a row group by so many bytes. */
function shiftGroup(group: ThriftStruct, shift: bigint, ordinal: number): ThriftStruct {
  move(group, [GROUP.at], shift);
  if (ordinal <= ORDINAL_MAX) set(group, GROUP.ordinal, BigInt(ordinal));
  else group.delete(GROUP.ordinal);
  for (const column of itemsOf(group.get(GROUP.columns))) {
    move(column, [COLUMN.at], shift);
    move(column.get(COLUMN.described)?.value as ThriftStruct, PAGES_AT, shift);
    for (let id: number = COLUMN.beforeIndexes; id <= COLUMN.afterIndexes; id += 1)
      column.delete(id);
  }
  return group;
}

/** Moves the positions in these fields, where there are any. */
function move(struct: ThriftStruct, ids: readonly number[], shift: bigint): void {
  for (const id of ids) {
    const at = struct.get(id)?.value as bigint | undefined;
    if (at !== undefined && at !== 0n) set(struct, id, at + shift);
  }
}

function set(struct: ThriftStruct, id: number, value: bigint): void {
  const field = struct.get(id);
  if (field !== undefined) struct.set(id, { ...field, value });
}

import { assert } from '#domain/assert.ts';

/** A struct: its fields by their numbers. */
export type ThriftStruct = Map<number, ThriftField>;
type ThriftList = { readonly of: number; readonly items: readonly ThriftValue[] };
type ThriftValue = bigint | boolean | Buffer | ThriftList | ThriftStruct;
/** The type of a value on the wire, and the value. */
export type ThriftField = { readonly type: number; readonly value: ThriftValue };

const [TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 7, 8, 9, 10, 12];
const DOUBLE_BYTES = 8;

/**
 * Reads a struct in Thrift's compact protocol, without knowing what its fields mean.
 *
 * - Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export function readThrift(bytes: Buffer): ThriftStruct {
  let at = 0;
  const take = (length: number) => {
    at += length;
    assert(at <= bytes.length, 'the struct is whole');
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1)[0] as number;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  }
  function whole(): bigint {
    const coded = varint();
    return (coded >> 1n) ^ -(coded & 1n);
  }
  function list(): ThriftList {
    const head = byte();
    const [of, short] = [head & 0x0f, head >> 4];
    const size = short === 15 ? Number(varint()) : short;
    const isFlags = of === TRUE || of === FALSE;
    const items = Array.from({ length: size }, () => (isFlags ? byte() === TRUE : value(of)));
    return { of, items };
  }
  function struct(): ThriftStruct {
    const fields: ThriftStruct = new Map();
    for (let id = 0; ; ) {
      const head = byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? Number(whole()) : id + (head >> 4);
      fields.set(id, { type: head & 0x0f, value: value(head & 0x0f) });
    }
  }
  function value(type: number): ThriftValue {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === BYTE) return BigInt(byte());
    if (type === DOUBLE) return take(DOUBLE_BYTES);
    if (type === BINARY) return take(Number(varint()));
    if (type === LIST || type === SET) return list();
    if (type === STRUCT) return struct();
    assert(type > BYTE && type < DOUBLE, 'the rest are whole numbers');
    return whole();
  }
  return struct();
}

/** Writes a struct as {@link readThrift} reads it. */
export function writeThrift(written: ThriftStruct): Buffer {
  const parts: Buffer[] = [];
  const byte = (value: number) => void parts.push(Buffer.of(value));
  function varint(value: bigint): void {
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) byte(Number(rest & 0x7fn) | 0x80);
    byte(Number(rest));
  }
  const whole = (value: bigint) => varint(value < 0n ? -2n * value - 1n : 2n * value);
  function list({ of, items }: ThriftList): void {
    byte((Math.min(items.length, 15) << 4) | of);
    if (items.length >= 15) varint(BigInt(items.length));
    for (const item of items) {
      if (typeof item === 'boolean') byte(item ? TRUE : FALSE);
      else write({ type: of, value: item });
    }
  }
  function struct(fields: ThriftStruct): void {
    let last = 0;
    for (const [id, field] of fields) {
      const isNear = id > last && id - last <= 15;
      byte((isNear ? (id - last) << 4 : 0) | field.type);
      if (!isNear) whole(BigInt(id));
      write(field);
      last = id;
    }
    byte(0);
  }
  function write({ type, value }: ThriftField): void {
    if (typeof value === 'boolean') return; // Its type says it.
    if (typeof value === 'bigint') {
      if (type === BYTE) byte(Number(value));
      else whole(value);
    } else if (value instanceof Map) struct(value);
    else if ('items' in value) list(value);
    else {
      if (type === BINARY) varint(BigInt(value.length));
      parts.push(value);
    }
  }
  struct(written);
  return Buffer.concat(parts);
}

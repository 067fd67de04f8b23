/**
 * A new UUID: version 4 is random, version 7 begins with the time.
 *
 * - Why not `crypto.randomUUID`: pages without https do not have it.
 * - Source: RFC 9562, sections 5.4 and 5.7.
 */
export function mintId(version: 4 | 7): string {
  const time = Date.now();
  const bytes = crypto.getRandomValues(new Uint8Array(16)).map((random, index) => {
    if (version === 7 && index < 6) return time / 256 ** (5 - index);
    if (index === 6) return (random & 0x0f) | (version << 4);
    if (index === 8) return (random & 0x3f) | 0x80;
    return random;
  });
  return Array.from(
    bytes,
    (byte, index) =>
      ([4, 6, 8, 10].includes(index) ? '-' : '') + (byte + 0x100).toString(16).slice(1),
  ).join('');
}

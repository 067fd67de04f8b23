/** A file that cannot be imported as it is. The message says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/**
 * Decodes a file of UTF-8 or, as Excel's "Unicode text", UTF-16. Bytes of other encodings become U+FFFD.
 *
 * - Throws UnreadableFile for what is plainly no text.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(findEncoding(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

/** Finds the encoding by the byte order mark, or by the zeros that UTF-16 has between letters. */
function findEncoding([first, second]: Uint8Array): string {
  const start = `${first} ${second}`;
  if (start === '80 75') {
    throw new UnreadableFile('This is a workbook or an archive: save the table as “CSV UTF-8”.');
  }
  if (start === '31 139') throw new UnreadableFile('The file is compressed: unpack it first.');
  if (start === '255 254' || second === 0) return 'utf-16le';
  if (start === '254 255' || first === 0) return 'utf-16be';
  return 'utf-8';
}

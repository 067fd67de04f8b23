/** How long a browser may take to start saving. */
const KEPT_MS = 60_000;

/** Saves bytes as a file on the user's device. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Saves what a URL answers, of any size: the browser writes it to disk as it comes. */
export function saveUrl(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** The text of a CSV file: UTF-8 or, as Excel's "Unicode text", UTF-16. */
export async function readCsv(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** What this browser keeps for the dashboard. A frame in a third-party page may have none. */
export function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

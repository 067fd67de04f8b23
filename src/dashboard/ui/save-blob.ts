/** How long a browser may take to begin with a file. */
const KEPT_MS = 60_000;

/** Saves bytes as a file on the reader's device. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

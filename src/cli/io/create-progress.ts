const WIDTH = 30;

/**
 * Reports progress: to a parent process over IPC, in steps of 1 %; otherwise to stderr, as a bar on
 * a terminal or a line for every 10 %.
 */
export function createProgress(total: number, of: string): (passed: number) => void {
  let shown = 0;
  const step = process.stderr.isTTY || process.connected ? 100 : 10;
  return (passed) => {
    const share = Math.floor((passed / total) * step);
    if (share === shown) return;
    shown = share;
    if (process.connected) return void process.send?.({ passed, total });
    process.stderr.write(toLine(passed, total, of));
  };
}

function toLine(passed: number, total: number, of: string): string {
  const text = `${passed.toLocaleString('en')} of ${total.toLocaleString('en')} ${of}`;
  if (!process.stderr.isTTY) return `${text}\n`;
  const filled = Math.round((passed / total) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `\r${bar} ${text}${passed === total ? '\n' : ''}`;
}

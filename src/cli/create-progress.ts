const WIDTH = 30;

/**
 * Shows on stderr how many have passed: a bar on a terminal, elsewhere a line
 * for each tenth. A process that started this one and listens is sent each hundredth.
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

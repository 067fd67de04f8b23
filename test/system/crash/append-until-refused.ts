import { openJournalFiles } from '#journal/journal-files.ts';

/** Appends until the disk refuses a batch, reports which were accepted or not, and dies at once. */
const journal = openJournalFiles(process.argv[2] ?? '');
process.stdout.write('open\n');
for (let seq = 1; seq <= 4; seq += 1) {
  try {
    journal.append([{ seq: journal.lastSeq + seq, rows: 1, lines: `line ${seq}\n` }]);
    process.stdout.write(`taken ${seq}\n`);
  } catch {
    process.stdout.write(`refused ${seq}\n`);
    break;
  }
}
process.kill(process.pid, 'SIGKILL');

import { openJournalFiles } from '#journal/journal-files.ts';

/** Appends groups of several sizes despite disk refusals, reports which were accepted, and dies at once. */
const GROUPS = [30, 1, 1, 20, 8, 1, 1, 1];
const WIDE = 'x'.repeat(9_000);

const journal = openJournalFiles(process.argv[2] ?? '');
process.stdout.write('open\n');
let seq = 0;
for (const size of GROUPS) {
  const group = Array.from({ length: size }, () => {
    seq += 1;
    return { seq: journal.lastSeq + seq, rows: 1, lines: `line ${seq} ${WIDE}\n` };
  });
  let outcome = 'taken';
  try {
    journal.append(group);
  } catch {
    outcome = 'refused';
  }
  for (const batch of group) process.stdout.write(`${outcome} ${batch.seq - journal.lastSeq}\n`);
}
process.kill(process.pid, 'SIGKILL');

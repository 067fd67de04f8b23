import type { JournalFile } from './journal-file.ts';
import { isDamage } from './mend-journal.ts';

/** The file, every step of which that meets damage tells of it, whoever catches what it throws. */
export function watchDamage(file: JournalFile, onDamage: (error: unknown) => void): JournalFile {
  function watched<Args extends unknown[], Answer>(step: (...args: Args) => Answer) {
    return (...args: Args): Answer => {
      try {
        return step(...args);
      } catch (error) {
        if (isDamage(error)) onDamage(error);
        throw error;
      }
    };
  }
  return {
    ...file,
    append: watched(file.append),
    nextShipment: watched(file.nextShipment),
    confirmShipment: watched(file.confirmShipment),
    refuseShipment: watched(file.refuseShipment),
    findLostTotal: watched(file.findLostTotal),
    settleTotal: watched(file.settleTotal),
    backlog: watched(file.backlog),
    setAsideBatches: watched(file.setAsideBatches),
  };
}

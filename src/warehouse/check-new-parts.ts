/** What the engine answers to SQL: lines of values with tabs between. */
export type AskEngine = (sql: string) => Promise<string>;

/** Finds parts that the engine wrote and that are not what their checksums say. */
export interface PartsCheck {
  /** Broken ones among those that are new since the last time, as `table part`. */
  findBroken(): Promise<string[]>;
}

/** Older ones are none that could still be made good. */
const RECENT_SECONDS = 180;
const NO_SUCH_PART = /Code: 232\b|NO_SUCH_DATA_PART/;

/**
 * A check of what an engine writes from now on.
 *
 * - Why: on a full disk the engine may put a merged part in place although a file of it is empty. For
 *   a minute it still has what that was made of, and takes it again when it is started anew.
 * - Why not of what it found at its start: it has looked at that itself, and would be started for ever.
 * - Source: seen with ClickHouse 26.7, whose merge left `data.cmrk4` without a byte.
 */
export function createPartsCheck(ask: AskEngine): PartsCheck {
  const startedAt = Math.ceil(Date.now() / 1_000);
  const sound = new Set<string>();
  return {
    async findBroken() {
      const listed = await ask(
        `SELECT table, name FROM system.parts WHERE database = currentDatabase() AND active
          AND modification_time > greatest(now() - ${RECENT_SECONDS}, toDateTime(${startedAt}))`,
      );
      const broken: string[] = [];
      for (const line of listed.split('\n').filter((each) => each !== '' && !sound.has(each))) {
        const [table = '', part = ''] = line.split('\t');
        if (await isBroken(ask, table, part)) broken.push(`${table} ${part}`);
        else sound.add(line);
      }
      return broken;
    },
  };
}

async function isBroken(ask: AskEngine, table: string, part: string): Promise<boolean> {
  try {
    const [, isPassed] = (await ask(`CHECK TABLE ${table} PART '${part}'`)).split('\t');
    return isPassed === '0';
  } catch (error) {
    return !NO_SUCH_PART.test(String(error)); // It was merged into another meanwhile.
  }
}

/** What the engine answers to SQL: lines of values with tabs between. */
export type AskEngine = (sql: string) => Promise<string>;

/** Finds parts that the engine wrote and that are not what their checksums say. */
export interface PartsCheck {
  /** Broken ones among those that are new since the last time, as `table part`. */
  findBroken(): Promise<string[]>;
}

/** Older ones are none that could still be made good. */
const RECENT_SECONDS = 180;
/**
 * Says nothing of a part: it, or its table, is gone (232, 60), or there is no room in memory (241), no file left to
 * open (76) or too much asked (202, 159).
 */
const SAYS_NOTHING = /Code: (?:232|60|241|76|202|159)\b|NO_SUCH_DATA_PART/;

/**
 * A check of what an engine writes from now on.
 *
 * - Why: on a full disk the engine may put a merged part in place although a file of it is empty. For
 *   a minute it still has what that was made of, and takes it again when it is started anew.
 * - Units: `startedAt` is when the engine began to start, in milliseconds. What it found then it has looked at itself,
 *   and would be started for ever.
 * - Source: seen with ClickHouse 26.7, whose merge left `data.cmrk4` without a byte.
 */
export function createPartsCheck(ask: AskEngine, startedAt: number): PartsCheck {
  const since = Math.floor(startedAt / 1_000);
  const sound = new Set<string>();
  return {
    async findBroken() {
      const listed = await ask(
        `SELECT table, name FROM system.parts WHERE database = currentDatabase() AND active
          AND modification_time >= greatest(now() - ${RECENT_SECONDS}, toDateTime(${since}))`,
      );
      const broken: string[] = [];
      for (const line of listed.split('\n').filter((each) => each !== '' && !sound.has(each))) {
        const [table = '', part = ''] = line.split('\t');
        const isSound = await isSoundPart(ask, table, part);
        if (isSound === false) broken.push(`${table} ${part}`);
        if (isSound === true) sound.add(line);
      }
      return broken;
    },
  };
}

/** `undefined` where that cannot be known now. */
async function isSoundPart(
  ask: AskEngine,
  table: string,
  part: string,
): Promise<boolean | undefined> {
  try {
    const [, isPassed] = (await ask(`CHECK TABLE ${table} PART '${part}'`)).split('\t');
    return isPassed !== '0';
  } catch (error) {
    return SAYS_NOTHING.test(String(error)) ? undefined : false;
  }
}

/** Runs SQL in the engine and returns lines of tab-separated values. */
export type AskEngine = (sql: string) => Promise<string>;

/** Finds recently written parts whose checksums are wrong. */
export interface PartsCheck {
  /** Broken parts among those written since the last call, as `table part`. */
  findBroken(): Promise<string[]>;
}

/** Older parts can no longer be repaired. */
const RECENT_SECONDS = 180;
/**
 * Errors that do not mean a broken part: the part or its table is gone (232, 60), or memory (241), file handles (76),
 * query slots (202) or time (159) ran out.
 */
const INCONCLUSIVE = /Code: (?:232|60|241|76|202|159)\b|NO_SUCH_DATA_PART/;

/**
 * Creates a check of the parts that an engine writes from now on.
 *
 * - Why: on a full disk, the engine may put a merged part in place although one of its files is empty. For a minute
 *   it still has the source parts, and uses them again after a restart.
 * - Units: `startedAt` is when the engine began to start, in milliseconds. The engine checked earlier parts itself;
 *   including them could cause endless restarts.
 * - Source: observed with ClickHouse 26.7, whose merge left `data.cmrk4` empty.
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

/** Whether a part is intact; undefined if that cannot be determined now. */
async function isSoundPart(
  ask: AskEngine,
  table: string,
  part: string,
): Promise<boolean | undefined> {
  try {
    const [, isPassed] = (await ask(`CHECK TABLE ${table} PART '${part}'`)).split('\t');
    return isPassed !== '0';
  } catch (error) {
    return INCONCLUSIVE.test(String(error)) ? undefined : false;
  }
}

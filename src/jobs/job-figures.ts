/** What has become of a job's runs so far. */
export type JobFigures = {
  readonly name: string;
  runs: number;
  failures: number;
  /** The time that all runs took together. */
  tookMs: number;
  /** When a run last succeeded, in milliseconds; 0 before. */
  succeededAt: number;
};

const figuresByName = new Map<string, JobFigures>();

/** The figures of this thread's jobs. */
export function listJobs(): readonly Readonly<JobFigures>[] {
  return [...figuresByName.values()];
}

/** The figures of jobs with a name, which may be several: one for each connection, for example. */
export function figuresOf(name: string): JobFigures {
  const figures = figuresByName.get(name) ?? {
    ...{ name, runs: 0, failures: 0, tookMs: 0, succeededAt: 0 },
  };
  figuresByName.set(name, figures);
  return figures;
}

/** A stage of a Dockerfile: what it begins with, its instructions in order, and what its containers start with. */
export type Stage = {
  readonly base: string;
  readonly name: string | undefined;
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly volume: string | undefined;
  /** The entry point and its arguments. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
};

/** An instruction that changes files. Both know the environment so far. */
export type Step = { readonly env: Readonly<Record<string, string>>; readonly folder: string } & (
  | { readonly kind: 'run'; readonly script: string }
  | {
      readonly kind: 'copy';
      readonly from: string | undefined;
      readonly source: string;
      readonly target: string;
    }
);

/** Reads a Dockerfile. Throws at an instruction that the tests would not follow. */
export function readDockerfile(text: string): Stage[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  const stages: ReturnType<typeof openStage>[] = [];
  for (const line of joined.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push(openStage(rest));
    else stages.at(-1)?.follow(name, rest.trim());
  }
  return stages.map((stage) => stage.close());
}

function openStage(from: string) {
  const [base = '', , name] = from.split(' ');
  const steps: Step[] = [];
  const env: Record<string, string> = {};
  let folder = '/';
  let user = 'root';
  let volume: string | undefined;
  const commands: Record<string, readonly string[]> = {};

  const instructions: Readonly<Record<string, (rest: string) => void>> = {
    RUN: (script) => steps.push({ kind: 'run', script, folder, env: { ...env } }),
    COPY(rest) {
      const [, stage, source = '', target = ''] =
        /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      steps.push({ kind: 'copy', from: stage, source, target, folder, env: { ...env } });
    },
    ENV: (rest) =>
      Object.assign(env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('=')))),
    WORKDIR(rest) {
      folder = rest;
    },
    USER(rest) {
      user = rest;
    },
    VOLUME(rest) {
      volume = rest;
    },
    ENTRYPOINT(rest) {
      commands.entry = JSON.parse(rest);
    },
    CMD(rest) {
      commands.command = JSON.parse(rest);
    },
    HEALTHCHECK(rest) {
      commands.health = JSON.parse(rest.slice(rest.indexOf('[')));
    },
    EXPOSE() {},
    STOPSIGNAL: (rest) => assertIs(rest, 'SIGTERM'),
  };
  return {
    follow(instruction: string, rest: string): void {
      const take = instructions[instruction];
      if (take === undefined) throw new Error(`the test does not follow ${instruction}`);
      take(rest);
    },
    close(): Stage {
      const { entry = [], command = [], health = [] } = commands;
      return {
        ...{ base, name, steps, env, user, volume },
        command: [...entry, ...command],
        healthCheck: health,
      };
    },
  };
}

function assertIs(found: string, expected: string): void {
  if (found !== expected) throw new Error(`${found} is not ${expected}`);
}

type Entry = {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
};

/** A `package-lock.json`, of which nothing else matters here. */
export type Lockfile = {
  readonly lockfileVersion: number;
  readonly requires?: boolean;
  readonly packages: Readonly<Record<string, Entry>>;
};

/**
 * The lockfile that a package brings along (`npm-shrinkwrap.json`): npm then installs the versions that were tested, each
 * by its hash. `isLeftOut` names direct dependencies of the checkout that the package does without.
 */
export function lockDependencies(
  { lockfileVersion, packages }: Lockfile,
  manifest: { readonly name: string; readonly version: string },
  isLeftOut: (name: string) => boolean,
): object {
  const kept = Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) =>
      path.startsWith('node_modules/') &&
      !(dev || devOptional || link) &&
      !isLeftOut(path.slice('node_modules/'.length)),
  );
  const { name, version } = manifest;
  return {
    ...{ name, version, lockfileVersion, requires: true },
    packages: { '': manifest, ...Object.fromEntries(kept) },
  };
}

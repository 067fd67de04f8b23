type Names = Readonly<Record<string, unknown>>;
type Entry = Readonly<
  Partial<Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Names>>
> & { readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>> };
type Packages = Readonly<Record<string, Entry>>;

/** A `package-lock.json`, of which nothing else matters here. */
export type Lockfile = { readonly lockfileVersion: number; readonly packages: Packages };

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Names;
};

/**
 * The lockfile that a package brings along (`npm-shrinkwrap.json`): npm then installs the versions that were tested, each
 * by its hash. It has what the package's dependencies reach, and nothing else of the checkout's.
 */
export function lockDependencies(
  { lockfileVersion, packages }: Lockfile,
  manifest: Manifest,
): object {
  const reached = new Set<string>();
  const pending = findAll(packages, '', manifest.dependencies);
  for (const path of pending) {
    if (reached.has(path)) continue;
    reached.add(path);
    pending.push(...findAll(packages, `${path}/`, namesOf(packages[path] ?? {})));
  }
  const kept = Object.entries(packages).filter(([path]) => reached.has(path));
  const { name, version } = manifest;
  return {
    ...{ name, version, lockfileVersion, requires: true },
    packages: { '': manifest, ...Object.fromEntries(kept) },
  };
}

/** What npm installs for a package: no peers that are optional. */
function namesOf(entry: Entry): Names {
  const { dependencies, optionalDependencies, peerDependencies = {} } = entry;
  const isNeeded = (name: string) => entry.peerDependenciesMeta?.[name]?.optional !== true;
  const peers = Object.entries(peerDependencies).filter(([name]) => isNeeded(name));
  return { ...dependencies, ...optionalDependencies, ...Object.fromEntries(peers) };
}

/** Where Node finds packages from a folder. Optional ones may not be there. */
function findAll(packages: Packages, folder: string, names: Names): string[] {
  return Object.keys(names).flatMap((name) => {
    const places = placesAbove(folder).map((place) => `${place}node_modules/${name}`);
    return places.find((place) => packages[place] !== undefined) ?? [];
  });
}

/** The folder of a package and of those that it is nested in, up to the root. */
function placesAbove(folder: string): string[] {
  if (folder === '') return [''];
  return [folder, ...placesAbove(folder.slice(0, folder.lastIndexOf('node_modules/')))];
}

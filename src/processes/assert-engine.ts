import { createRequire } from 'node:module';

/** What decides whether the embedded engine runs here. */
type System = {
  readonly platform: string;
  readonly arch: string;
  /** Of Linux; there are systems with another C library, such as Alpine. */
  readonly hasGlibc: boolean;
  readonly isInstalled: (packageName: string) => boolean;
};

/** Throws, with one line that says what to do, if there is no embedded engine for this system. */
export function assertEngine(system: System = readSystem()): void {
  const { platform, arch } = system;
  const runs = platform === 'darwin' || (platform === 'linux' && system.hasGlibc);
  if (!runs || !['x64', 'arm64'].includes(arch)) {
    throw new Error(
      `The embedded engine does not run on ${nameOf(system)}: it needs Linux with glibc, or macOS, on x64 or arm64. Use the image (docker run), or set CLICKHOUSE_URL to a ClickHouse server.`,
    );
  }
  const name = `@chdb/lib-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`;
  if (system.isInstalled(name)) return;
  throw new Error(
    `The embedded engine (${name}) is not installed. Install Tributary again, with its optional packages.`,
  );
}

function nameOf({ platform, arch, hasGlibc }: System): string {
  return platform === 'linux' && !hasGlibc ? 'Linux without glibc' : `${platform} on ${arch}`;
}

function readSystem(): System {
  const { platform, arch } = process;
  const requireEngine = createRequire(createRequire(import.meta.url).resolve('chdb'));
  return {
    ...{ platform, arch },
    hasGlibc: platform === 'linux' && findGlibc() !== undefined,
    isInstalled(name) {
      try {
        return requireEngine.resolve(name) !== '';
      } catch {
        return false;
      }
    },
  };
}

/** The version of glibc that this process runs with. */
function findGlibc(): string | undefined {
  Object.assign(process.report, { excludeNetwork: true }); // Or it looks up the names of all peers.
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

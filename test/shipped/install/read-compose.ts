import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../architecture/source-files.ts';

/** A service of compose.yaml, as far as tests look at it. */
export type Service = {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
};

/** The services of compose.yaml. */
export function readCompose(): Readonly<Record<'tributary' | 'caddy' | 'postgres', Service>> {
  return readComposeFile().services;
}

/** The whole file. */
export function readComposeFile() {
  return parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
    readonly services: Readonly<Record<'tributary' | 'caddy' | 'postgres', Service>>;
    readonly volumes: Readonly<Record<string, null>>;
    readonly networks: {
      readonly inside: {
        readonly ipam: { readonly config: readonly { readonly subnet: string }[] };
      };
    };
  };
}

import type { TrackerOptions } from '@tributary/script';
import { createElement, type ReactElement } from 'react';

/** The options of the script's tag: `allowLocalhost` is `data-allow-localhost`. */
export type TributaryScriptProps = TrackerOptions & {
  /** The route that serves the script. Default: `/t.js`, for `app/t.js/route.ts`. */
  readonly src?: string;
  /** For a Content Security Policy that asks for one. */
  readonly nonce?: string | undefined;
};

/** Tributary's script, for the layout of all pages. It loads beside them and never delays one. */
export function TributaryScript({
  src = '/t.js',
  nonce,
  ...options
}: TributaryScriptProps): ReactElement {
  return createElement('script', { async: true, src, nonce, ...toAttributes(options) });
}

function toAttributes(options: TrackerOptions): Record<string, string> {
  const given = Object.entries<unknown>(options).filter(
    ([, value]) => value !== undefined && value !== false,
  );
  return Object.fromEntries(
    given.map(([name, value]) => [toAttribute(name), value === true ? '' : String(value)]),
  );
}

const toAttribute = (name: string) =>
  `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

import type { TrackerOptions } from './tracker.d.ts';

// One instance a page, whatever runs the tag again. The build wraps all code in one `try`.
if (window.tributary?.site) throw 0;

/** The running tag. Optimisers and `type=module` hide it, but not from a search. */
const tag = [document.currentScript as HTMLScriptElement | null, ...document.scripts].find(
  (script) => script?.dataset.site,
);
if (!tag) {
  console.warn('Tributary finds no data-site.');
  throw 0;
}

/** The tag's options, and the address that serves the script and receives its events. */
export const { dataset: options, src } = tag;

/** Whether the tag has an option, with or without a value. */
export const isSet = (option: keyof TrackerOptions) => option in options;

/** Whether nothing is stored in this browser. */
export const isCookieless =
  options.cookieless === 'gpc' ? navigator.globalPrivacyControl : isSet('cookieless');

/** Does what may fail: no error of the script reaches the page. */
export const attempt = <Result>(act: () => Result): Result | undefined => {
  try {
    return act();
  } catch {}
};

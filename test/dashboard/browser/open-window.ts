import { Window } from 'happy-dom';

/** Where the dashboard under test believes to be. */
export const ORIGIN = 'https://tributary.test';

/** Of names that Node knows, too, those that have to be the window's: its events reach only its own targets. */
const OF_WINDOW = [
  ...['Event', 'CustomEvent', 'MessageEvent', 'ErrorEvent', 'EventTarget'],
  ...['FormData', 'navigator', 'Storage', 'localStorage', 'sessionStorage'],
];

/** The window of this process. Libraries take its parts when they are loaded, so there is only one. */
export const browser = new Window({ url: ORIGIN, width: 1_440, height: 900 });

for (let part: object = browser; part !== Object.prototype; part = Object.getPrototypeOf(part)) {
  for (const name of Object.getOwnPropertyNames(part)) {
    if (name in globalThis && !OF_WINDOW.includes(name)) continue;
    const value: unknown = Reflect.get(browser, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

import type { Choice } from './chance.ts';

/**
 * Where somebody is, as the browser tells, and as an address there tells. The addresses are those
 * of whole networks, which are nobody's.
 */
export type Home = {
  readonly language: string;
  readonly timezone: string;
  readonly ip: string;
};

const at =
  (timezone: string, language: string) =>
  (ip: string): Home => ({ language, timezone, ip });
const germany = at('Europe/Berlin', 'de-DE');
const austria = at('Europe/Vienna', 'de-AT');
const france = at('Europe/Paris', 'fr-FR');
const netherlands = at('Europe/Amsterdam', 'nl-NL');
const britain = at('Europe/London', 'en-GB');
const switzerland = at('Europe/Zurich', 'de-CH');

/** Where the shop's visitors are: mostly at home. */
export const HOMES: readonly Choice<Home>[] = [
  [12, germany('91.66.250.0')], // Berlin
  [9, germany('84.132.212.0')], // Hamburg
  [9, germany('84.128.80.0')], // Munich
  [8, germany('91.64.64.0')], // Frankfurt am Main
  [4, germany('84.133.17.0')], // Augsburg
  [4, germany('84.128.64.0')], // Mannheim
  [5, germany('2001:9e8:1::')], // Berlin
  [4, germany('2003:c5:8700::')], // Unterhaching
  [9, austria('84.112.0.0')], // Vienna
  [2, austria('62.178.160.0')], // Innsbruck
  [2, austria('77.118.58.0')], // Graz
  [6, france('90.3.87.0')], // Paris
  [2, france('90.4.180.0')], // Lyon
  [1, france('2a01:e0a:1::')], // Paris
  [5, netherlands('84.80.64.0')], // Amsterdam
  [2, netherlands('77.166.254.0')], // Utrecht
  [6, britain('81.129.93.0')], // London
  [2, britain('81.128.192.0')], // Manchester
  [4, switzerland('85.6.46.0')], // Zurich
  [2, switzerland('85.1.157.0')], // Bern
  [2, at('America/New_York', 'en-US')('71.167.203.0')], // New York
];

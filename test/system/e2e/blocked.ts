/** What public lists block: hosts, paths and names of tracking scripts. */
export const BLOCKED = new RegExp(
  [
    String.raw`^https?://([\w-]+\.)*(stats?|analytics?|track(er|ing)?|metrics?|count(er)?|pixel|beacon|telemetry|insights?|events?|collect(or)?|data|log(s|ger)?)\.`,
    '[/._-](stats?|analytics?|track(er|ing)?|metrics?|events?|collect|beacon|pixel|pageview|hit|telemetry|insight|log|count)([/._?&=-]|s?$)',
    String.raw`/js/(script|plausible|tracker|count|umami|a)\.`,
    String.raw`/(script|tracker|analytics|matomo|piwik|umami|plausible|tributary|ga|gtm|gtag|t|p|s|c)\.js`,
    String.raw`/api/(v\d/)?(event|send|track|collect|hit)`,
    '[/.?&_-](ads?|advert|banner|sponsor|promo)[/.?&_=-]',
  ].join('|'),
  'i',
);

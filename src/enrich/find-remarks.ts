/** A comment in parentheses, which may hold further ones. */
const COMMENT = String.raw`\(([^()]*(?:\([^()]*\)[^()]*)*)\)`;

/** How browsers begin: with the system, in a comment, and the engine. */
const BROWSERS = [
  String.raw`^Mozilla/5\.0 ${COMMENT} AppleWebKit/[\d.+]+ ?\(KHTML,? ?like Gecko(.*)$`,
  String.raw`^Mozilla/5\.0 ${COMMENT} (?:Gecko/[\d.]+|like Gecko)(.*)$`,
  String.raw`^Mozilla/[45]\.0 \(compatible; (MSIE [^()]*(?:\([^()]*\)[^()]*)*)\)(.*)$`,
  String.raw`^Opera/[\d.]+ ${COMMENT}(.*)$`,
].map((source) => new RegExp(source));

const FIRST_COMMENT = new RegExp(`^[^()]*${COMMENT}`);

/** A part of a comment that is a product of its own: no model is written so. */
const PRODUCT = /^(?!.*\bBuild\/)\s*[\w.-]+\/\d/;

/** Apps repeat the model in comments; bots give their names and addresses there. */
const INNER_COMMENT = /\([^();]*;[^()]*\)/g;
const DECLARATION = /compatible|https?:|@|[A-Za-z]\/v?\d/;

/**
 * A browser's user agent without the model and the engine: the system, in parentheses, and the
 * products behind the engine, among them apps and bots.
 *
 * - Absent when the user agent is not a complete browser's.
 */
export function findRemarks(userAgent: string): string | undefined {
  for (const browser of BROWSERS) {
    const [, system, rest] = browser.exec(userAgent) ?? [];
    if (system === undefined || system.startsWith('compatible')) continue;
    const products = rest?.replace(INNER_COMMENT, (it) => (DECLARATION.test(it) ? it : ''));
    return `(${removeModel(system)})${products}`;
  }
  return undefined;
}

/**
 * A browser's user agent up to the end of its first comment, which names the system, without the
 * model; one without a comment as it is.
 */
export function cutToSystem(userAgent: string): string {
  const [found = '', system = ''] = FIRST_COMMENT.exec(userAgent) ?? [];
  return found === '' ? userAgent : found.replace(system, () => removeModel(system));
}

/** What stands behind Android's version is a model's name, unless it has a version too. */
function removeModel(system: string): string {
  const parts = system.split(';');
  const android = parts.findIndex((part) => part.includes('Android'));
  if (android === -1) return system;
  return parts.filter((part, index) => index <= android || PRODUCT.test(part)).join(';');
}

/** A comment in parentheses, which may contain nested comments. */
const COMMENT = String.raw`\(([^()]*(?:\([^()]*\)[^()]*)*)\)`;

/** How browsers' user agents begin: the system in a comment, then the engine. */
const BROWSERS = [
  String.raw`^Mozilla/5\.0 ${COMMENT} AppleWebKit/[\d.+]+ ?\(KHTML,? ?like Gecko(.*)$`,
  String.raw`^Mozilla/5\.0 ${COMMENT} (?:Gecko/[\d.]+|like Gecko)(.*)$`,
  String.raw`^Mozilla/[45]\.0 \(compatible; (MSIE [^()]*(?:\([^()]*\)[^()]*)*)\)(.*)$`,
  String.raw`^Opera/[\d.]+ ${COMMENT}(.*)$`,
].map((source) => new RegExp(source));

/** Standards of televisions, whose user agents have no common form. */
const TELEVISION = /\b(?:CE-HTML|HbbTV|NETTV)\b/i;

const FIRST_COMMENT = new RegExp(`^[^()]*${COMMENT}`);

/** A part of a comment that is a product with a version. Device models do not look like this. */
const PRODUCT = /^(?!.*\bBuild\/)\s*[\w.-]+\/\d/;

/** Comments of apps, which repeat the model, and of bots, which name themselves and their URL. */
const INNER_COMMENT = /\([^();]*;[^()]*\)/g;
const DECLARATION = /compatible|https?:|@|[A-Za-z]\/v?\d/;

/**
 * A browser's user agent without device model and engine: the system in parentheses, and the products
 * after the engine, such as apps and bots.
 *
 * - A television's is all of it. Undefined if the user agent is not that of a complete browser.
 */
export function findRemarks(userAgent: string): string | undefined {
  for (const browser of BROWSERS) {
    const [, system, rest] = browser.exec(userAgent) ?? [];
    if (system === undefined || system.startsWith('compatible')) continue;
    const products = rest?.replace(INNER_COMMENT, (it) => (DECLARATION.test(it) ? it : ''));
    return `(${removeModel(system)})${products}`;
  }
  return TELEVISION.test(userAgent) ? userAgent : undefined;
}

/**
 * A browser's user agent up to the end of its first comment, which names the system, without the device
 * model. A user agent without a comment is unchanged.
 */
export function cutToSystem(userAgent: string): string {
  const [found = '', system = ''] = FIRST_COMMENT.exec(userAgent) ?? [];
  return found === '' ? userAgent : found.replace(system, () => removeModel(system));
}

/** Removes the device model: the parts after Android's version, except products with a version. */
function removeModel(system: string): string {
  const parts = system.split(';');
  const android = parts.findIndex((part) => part.includes('Android'));
  if (android === -1) return system;
  return parts.filter((part, index) => index <= android || PRODUCT.test(part)).join(';');
}

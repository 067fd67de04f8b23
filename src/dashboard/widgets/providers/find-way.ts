/** The way to a page in a sentence with arrows, `open Settings → Webhooks and click …`, as its stations. */
export function findWay(text: string): readonly string[] {
  const part = text.split(/[.,:]\s|[.,:]$/).find((each) => each.includes('→')) ?? '';
  return part
    .split('→')
    .map((each, index) => (index === 0 ? each.replace(/^.*\bopen /, '') : each))
    .map((each) => each.replace(/ (?:and (?:click|paste)|once) .*$/, '').trim())
    .filter((each) => each !== '');
}

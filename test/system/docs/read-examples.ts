/** One `curl` of a page, and the answer shown below it. */
export type Example = {
  readonly page: string;
  readonly line: number;
  readonly command: string;
  /** The language of the block below (`json`, `text`, `csv`) and its content. */
  readonly shown: { readonly language: string; readonly text: string } | undefined;
};

/** A fenced block of a page. */
export type Block = { readonly language: string; readonly text: string; readonly line: number };

/**
 * Every `curl` of a Markdown page, in order.
 *
 * - Shape: a block of `sh` whose command is `curl`, directly followed by a block with its answer.
 */
export function readExamples(page: string, markdown: string): Example[] {
  const blocks = readBlocks(markdown);
  return blocks.flatMap((block, index) => {
    if (block.language !== 'sh' || !/^curl /m.test(block.text)) return [];
    const next = blocks[index + 1];
    const end = block.line + block.text.split('\n').length + 1;
    const isBelow = next !== undefined && next.line <= end + 1 && next.language !== 'sh';
    return [{ page, line: block.line, command: block.text, shown: isBelow ? next : undefined }];
  });
}

/** A page's fenced blocks, each with the line of its opening fence. */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const fences = /^```(\w+)\n([\s\S]*?)\n```$/gm;
  for (const match of markdown.matchAll(fences)) {
    const [, language = '', text = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ language, text, line });
  }
  return blocks;
}

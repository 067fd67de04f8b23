import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toSnippet } from './site-share.ts';

it('the frame of a link is titled by its site, written as HTML', () => {
  const share = { embed_url: 'https://t.example/share/abc/embed', name: 'For the agency' };
  const snippet = toSnippet(share, 'Tea <b>"and"</b> & co');
  assert.ok(snippet.includes('title="Figures of Tea &lt;b&gt;&quot;and&quot;&lt;/b&gt; &amp; co"'));
  assert.ok(!snippet.includes('agency'));
  assert.ok(snippet.includes('<script async src="https://t.example/embed.js"></script>'));
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toSnippet } from './site-share.ts';

it('the frame of a link has its name as it is, written as HTML', () => {
  const snippet = toSnippet({
    embed_url: 'https://t.example/share/abc/embed',
    name: 'For <b>"agency"</b> & co',
  });
  assert.ok(snippet.includes('title="For &lt;b&gt;&quot;agency&quot;&lt;/b&gt; &amp; co"'));
  assert.ok(snippet.includes('<script async src="https://t.example/embed.js"></script>'));
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toFrameUrl, toSnippet } from './site-share.ts';

it('the frame of a link is titled by its site, written as HTML', () => {
  const snippet = toSnippet(
    'https://t.example/share/abc/embed?theme=dark&accent=f00',
    'Tea <b>"and"</b> & co',
  );
  assert.ok(snippet.includes('title="Figures of Tea &lt;b&gt;&quot;and&quot;&lt;/b&gt; &amp; co"'));
  assert.ok(snippet.includes('src="https://t.example/share/abc/embed?theme=dark&amp;accent=f00"'));
  assert.ok(snippet.includes('<script async src="https://t.example/embed.js"></script>'));
});

it('the address of a frame says how it looks, unless that is our own look', () => {
  const share = { embed_url: 'https://t.example/share/abc/embed' };
  assert.equal(toFrameUrl(share, { theme: '', accent: '' }), share.embed_url);
  const url = toFrameUrl(share, { theme: 'dark', accent: '#0d8f5f' });
  assert.equal(url, `${share.embed_url}?theme=dark&accent=0d8f5f`);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderToStaticMarkup } from 'react-dom/server';
import { TributaryScript } from '../../packages/next/src/index.ts';

describe('TributaryScript', () => {
  it('is the tag of the script, beside whose options nothing is set', () => {
    const html = renderToStaticMarkup(TributaryScript({ site: 'example.com' }));
    assert.equal(html, '<script async="" src="/t.js" data-site="example.com"></script>');
  });

  it('has the options of the tag as attributes', () => {
    const html = renderToStaticMarkup(
      TributaryScript({
        ...{ site: 'example.com', src: '/hello.js', nonce: 'n-1' },
        ...{ allowLocalhost: true, cookieless: 'gpc', domains: 'tea.example' },
      }),
    );
    assert.match(html, /src="\/hello.js" nonce="n-1" data-site="example.com"/);
    assert.match(html, /data-allow-localhost="" data-cookieless="gpc" data-domains="tea.example"/);
  });

  it('leaves out what is false', () => {
    const isLocal = false as unknown as true;
    const element = TributaryScript({ site: 'example.com', allowLocalhost: isLocal });
    assert.doesNotMatch(renderToStaticMarkup(element), /allow/);
  });
});

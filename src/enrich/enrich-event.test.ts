import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createEnricher } from './enrich-event.ts';

const { findAcquisition } = createEnricher();

function arrive(url: string, referrer = '') {
  return findAcquisition({ url, referrer, siteHosts: ['example.com'] });
}

describe('enriching a page that was reached', () => {
  const sources = [
    ['https://www.google.com/', 'Google'],
    ['https://www.google.co.uk/search', 'Google'],
    ['https://news.google.com/', 'Google News'],
    ['https://mail.google.com/', 'Gmail'],
    ['https://gemini.google.com/app', 'Gemini'],
    ['https://google.github.io/', 'google.github.io'],
    ['https://google.evil.com/', 'evil.com'],
    ['https://news.ycombinator.com/item?id=1', 'Hacker News'],
    ['https://ycombinator.com/', 'ycombinator.com'],
    ['https://l.facebook.com/l.php?u=x', 'Facebook'],
    ['https://m.facebook.com/', 'Facebook'],
    ['https://t.co/abc', 'X'],
    ['https://chatgpt.com/', 'ChatGPT'],
    ['https://WWW.Perplexity.AI/', 'Perplexity'],
    ['https://ada.blogspot.com/post', 'Blogger'],
    ['https://www.blog.orchard.co.uk:8443/post', 'orchard.co.uk'],
    ['https://192.0.2.7/', '192.0.2.7'],
    ['https://xn--bcher-kva.example/', 'bücher.example'],
    ['https://blog.bücher.example/', 'bücher.example'],
    ['https://почта.президент.рф/', 'президент.рф'],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'], // Cyrillic letters that spell a brand.
    ['https://webmail.aol.com/', 'AOL Mail'],
    ['https://calendar.google.com/', 'Google Calendar'],
    ['https://meet.google.com/', 'Google Meet'],
    ['https://copilot.cloud.microsoft/', 'Copilot'],
    ['https://etsy.me/3abc', 'Etsy'],
    ['https://deref-gmx.net/mail/client/x', 'GMX'],
    ['android-app://com.brave.browser/', ''],
    ['android-app://com.google.android.gm/', 'Gmail'],
    ['android-app://com.Slack/', 'Slack'],
    ['ANDROID-APP://COM.SLACK', 'Slack'],
    ['android-app://com.amazon.mshop.android.shopping', 'Amazon'],
    ['android-app://com.ucmobile.intl/', ''],
    ['android-app://org.orchard.reader', 'org.orchard.reader'],
    ['https://shop.example.com/', ''],
    ['https://checkout.stripe.com/c/pay/1', ''],
    ['https://www.paypal.com/', ''],
    ['https://connect.stripe.com/', ''],
    ['https://sandbox-buy.paddle.com/', ''],
    ['https://pay.klarna.com/', ''],
    ['https://www.securesuite.co.uk/', ''],
    ['https://accounts.google.com/', ''],
    ['https://accounts.google.co.in/', ''],
    ['https://appleid.apple.com/auth/authorize', ''],
    ['https://login.microsoftonline.com/', ''],
    ['https://dev-1.eu.auth0.com/', ''],
    ['https://auth0.com/', 'auth0.com'],
    ['https://orchard.okta.com/', ''],
    ['https://shop.auth.eu-west-1.amazoncognito.com/', ''],
    ['https://clever-fox-1.accounts.dev/sign-in', ''],
    ['https://github.com/login/oauth/authorize?client_id=1', ''],
    ['https://github.com/', 'GitHub'],
    ['https://www.facebook.com/v25.0/dialog/oauth', ''],
    ['https://www.facebook.com/', 'Facebook'],
    ['about:blank', ''],
    ['javascript:alert(1)', ''],
    ['not an address', ''],
    ['https://[', ''],
  ] as const;
  for (const [referrer, source] of sources) {
    it(`hears of ${source || 'nobody'} from ${referrer}`, () => {
      assert.equal(arrive('https://example.com/', referrer).source, source);
    });
  }

  const tags = [
    ['fb', 'Facebook'],
    ['Google', 'Google'],
    ['GOOGLE', 'Google'],
    ['twitter', 'X'],
    ['chatgpt.com', 'ChatGPT'],
    ['www.reddit.com', 'Reddit'],
    ['hacker+news', 'Hacker News'],
    ['letter%20of%20May', 'letter of May'],
    ['orchard.co.uk', 'orchard.co.uk'],
    ['a%00b%0Ac', 'a b c'],
    ['%E0%A4%A', '\u{fffd}%A'],
    ['%D7%A9%D7%9C%D7%95%D7%9D', 'שלום'],
  ] as const;
  for (const [written, source] of tags) {
    it(`reads utm_source=${written} as ${JSON.stringify(source)}`, () => {
      assert.equal(arrive(`https://example.com/?utm_source=${written}`).source, source);
    });
  }

  const channels = [
    ['?utm_source=meta&utm_medium=paid', '', 'Paid Social'],
    ['?utm_source=Facebook_Mobile_Feed&utm_medium=cpc', '', 'Paid Social'],
    ['?utm_source=Instagram_Feed&utm_medium=paid_social', '', 'Paid Social'],
    ['?gad_source=1&gad_campaignid=2', '', 'Paid Search'],
    ['', 'https://mail.google.com/', 'Email'],
    ['', 'https://webmail.aol.com/', 'Email'],
    ['', 'https://deref-gmx.net/', 'Email'],
    ['', 'https://meet.google.com/', 'Referral'],
    ['', 'https://calendar.google.com/', 'Referral'],
    ['', 'https://copilot.cloud.microsoft/', 'AI Assistants'],
    ['', 'https://etsy.me/', 'Organic Shopping'],
    ['', 'android-app://com.brave.browser', ''],
  ] as const;
  for (const [query, referrer, channel] of channels) {
    it(`takes ${query || referrer} for ${channel || 'Direct'}`, () => {
      assert.equal(arrive(`/${query}`, referrer).channel, channel);
    });
  }

  it('shows internationalized tags and referrers in their own script', () => {
    assert.equal(arrive('/?ref=xn--bcher-kva.example').source, 'bücher.example');
  });

  it('keeps the click id rather than the tags that Google adds', () => {
    assert.equal(arrive('/?gad_source=1&gad_campaignid=2&gbraid=3').clickId, 'gbraid');
  });

  it('reads tag names in any case, takes the first value, and ignores the fragment', () => {
    const found = arrive('/?UTM_Source=&utm_source=a&utm_source=b&ScCid=9#?utm_campaign=no');
    assert.equal(found.source, 'a');
    assert.equal(found.clickId, 'sccid');
    assert.equal(found.clickIdValue, '9');
    assert.equal(found.campaign, '');
  });

  const asTheyCome = [
    ['&amp;', '?utm_source=news&amp;utm_medium=email&amp;amp;utm_campaign=tea'],
    ['an encoded &amp;', '?utm_source=news&amp%3Butm_medium=email&amp%3Butm_campaign=tea'],
    ['a second ?', '?ref=blog?utm_source=news&utm_medium=email?utm_campaign=tea'],
    ['any case', '?UTM_SOURCE=news&Utm_Medium=email&utm_Campaign=tea'],
    ['the same tags twice', `${'&utm_source=news&utm_medium=email&utm_campaign=tea'.repeat(2)}`],
    [
      'an address that was appended twice',
      `${'?utm_source=news&utm_medium=email&utm_campaign=tea'.repeat(2)}`,
    ],
    ['a fragment', '#utm_source=news&utm_medium=email&utm_campaign=tea'],
    ['a fragment after a query', '?page=2#?utm_source=news&utm_medium=email&utm_campaign=tea'],
    [
      'a route in the fragment',
      '?gclid=#/pricing?utm_source=news&utm_medium=email&utm_campaign=tea',
    ],
    ['an anchor with tags', '#prices&utm_source=news&amp;utm_medium=email&utm_campaign=tea'],
  ] as const;
  for (const [form, query] of asTheyCome) {
    it(`reads tags with ${form}`, () => {
      const url = `https://example.com/${query.startsWith('&') ? `?${query}` : query}`;
      const { source, medium, campaign } = arrive(url);
      assert.deepEqual([source, medium, campaign], ['news', 'email', 'tea']);
    });
  }

  it('reads values that were encoded twice, but only as far as they are', () => {
    const { campaign, content, term } = arrive(
      '/?utm_campaign=May%2520sale&utm_content=Gr%25C3%25BC%25C3%259Fe&utm_term=100%25off%2525zz',
    );
    assert.deepEqual([campaign, content, term], ['May sale', 'Grüße', '100%off%zz']);
    assert.equal(arrive('/?utm_campaign=a%25FFb').campaign, 'a%FFb');
  });

  it('takes only campaign tags from a fragment, which apps use for themselves', () => {
    assert.equal(arrive('/#/items?source=menu&ref=top&gclid=1').source, '');
  });

  it('takes a label of missing values as no tag', () => {
    const { source, medium } = arrive('/?utm_source=Unattributed&utm_medium=(none)');
    assert.deepEqual([source, medium], ['', '']);
  });

  it('truncates a long tag at 255 characters and splits no character', () => {
    const { campaign } = arrive(`/?utm_campaign=${encodeURIComponent('😀'.repeat(300))}`);
    assert.equal(campaign, '😀'.repeat(255));
  });

  it('keeps the referrer as it was sent, without query and fragment', () => {
    const referrer = 'https://Orchard.example/Path';
    assert.equal(arrive('/', `${referrer}?q=1#top`).referrer, referrer);
  });

  it('accepts any text, and always gives the same result for it', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true }));
    fc.assert(
      fc.property(text, text, (url, referrer) => {
        assert.deepEqual(arrive(url, referrer), arrive(url, referrer));
      }),
    );
  });
});

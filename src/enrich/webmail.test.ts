import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnricher } from './enrich-event.ts';
import { readFactTable } from './fact-table.ts';

const { findAcquisition } = createEnricher();

function arriveFrom(host: string) {
  const referrer = host.includes('://') ? host : `https://${host}/`;
  return findAcquisition({ url: 'https://example.com/', referrer, siteHosts: ['example.com'] });
}

/** Where people read their mail, by the source that it is; `*` stands for every country after it. */
const WEBMAIL: readonly (readonly [source: string, hosts: string, countries?: string])[] = [
  ['Gmail', 'mail.google.com android-app://com.google.android.gm'],
  ['Outlook', 'outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft'],
  ['Outlook', 'outlook.* hotmail.*', 'com fr de it es jp co.uk com.br be at dk cz'],
  ['Outlook', 'nam01.safelinks.protection.outlook.com'],
  [
    'Yahoo Mail',
    'mail.yahoo.*',
    'com co.uk fr de it es ca co.jp com.br com.mx com.ar com.au co.in',
  ],
  ['Yahoo Mail', 'fr.mail.yahoo.com us-mg5.mail.yahoo.com'],
  ['AOL Mail', 'mail.aol.* webmail.aol.*', 'com co.uk de fr'],
  ['Mail.ru', 'mail.ru e.mail.ru touch.mail.ru'],
  ['GMX', 'gmx.* navigator.gmx.* deref-gmx.*', 'net com de at ch fr co.uk es'],
  ['WEB.DE', 'web.de navigator.web.de deref-web.de deref-web-02.de'],
  ['Mail.com', 'mail.com deref-mail.com'],
  ['Orange Mail', 'webmail.orange.fr mail01.orange.fr messagerie.orange.fr'],
  ['La Poste Mail', 'laposte.net webmail.laposte.net'],
  ['Free Mail', 'webmail.free.fr zimbra.free.fr'],
  ['SFR Mail', 'webmail.sfr.fr messagerie.sfr.fr'],
  ['Libero Mail', 'mail.libero.it mail1.libero.it'],
  ['Virgilio Mail', 'mail.virgilio.it mail1.virgilio.it'],
  ['Seznam Email', 'email.seznam.cz'],
  ['WP Poczta', 'poczta.wp.pl'],
  ['Onet Poczta', 'poczta.onet.pl poczta.onet.eu'],
  ['Interia Poczta', 'poczta.interia.pl'],
  ['o2 Poczta', 'poczta.o2.pl'],
  ['Naver Mail', 'mail.naver.com m.mail.naver.com'],
  ['Daum Mail', 'mail.daum.net mail.kakao.com'],
  ['QQ Mail', 'mail.qq.com wx.mail.qq.com exmail.qq.com'],
  ['NetEase Mail', 'mail.163.com mail.126.com mail.yeah.net'],
  ['Sina Mail', 'mail.sina.com.cn mail.sina.cn m0.mail.sina.com.cn'],
  ['Rediffmail', 'mail.rediff.com rediffmail.com'],
  ['iCloud', 'icloud.com www.icloud.com'],
  ['Proton Mail', 'mail.proton.me mail.protonmail.com'],
  ['Tuta', 'app.tuta.com mail.tutanota.com'],
  ['Zoho Mail', 'mail.zoho.*', 'com eu in com.au com.cn jp'],
  ['Fastmail', 'app.fastmail.com'],
  ['Yandex Mail', 'mail.yandex.*', 'ru com by kz ua uz com.tr'],
  ['UOL Mail', 'mail.uol.com.br email.uol.com.br'],
  ['BOL Mail', 'mail.bol.uol.com.br email.bol.uol.com.br'],
  ['Terra Mail', 'mail.terra.com.br'],
  ['T-Online', 'email.t-online.de'],
  ['freenet Mail', 'webmail.freenet.de email.freenet.de'],
  ['Bluewin Mail', 'webmail.bluewin.ch'],
  ['Ziggo Mail', 'webmail.ziggo.nl'],
  ['KPN Mail', 'webmail.kpnmail.nl webmail.kpn.com'],
  ['Telenet Mail', 'webmail.telenet.be mail.telenet.be'],
  ['Proximus Mail', 'webmail.proximus.be webmail.skynet.be'],
  ['Comcast Mail', 'connect.xfinity.com mail.comcast.net web.mail.comcast.net'],
  ['AT&T Mail', 'mail.att.net currently.att.yahoo.com'],
  ['Cox Mail', 'webmail.cox.net myemail.cox.net'],
  ['BT Mail', 'email.bt.com btinternet.com'],
  ['Sky Mail', 'mail.sky.com'],
  ['Virgin Media Mail', 'mail2.virginmedia.com webmail.virginmedia.com'],
  ['TalkTalk Mail', 'mail.talktalk.co.uk webmail.talktalk.co.uk'],
  ['BigPond Mail', 'webmail.bigpond.com email.telstra.com'],
  ['Optus Mail', 'webmail.optusnet.com.au'],
  ['Docomo Mail', 'mail.smt.docomo.ne.jp mail.docomo.ne.jp'],
  ['Rambler Mail', 'mail.rambler.ru'],
  ['Ukr.net Mail', 'mail.ukr.net secureurl.ukr.net'],
  ['webmail1e.orange.fr', 'webmail1e.orange.fr'],
  ['webmail.school.example', 'webmail.school.example'],
  ['owa.company.example', 'owa.company.example'],
  ['correo.school.example', 'correo.school.example'],
  ['f5mail.rediff.com', 'f5mail.rediff.com'],
  ['mail.globo.example', 'mail.globo.example'],
];

describe('webmail', () => {
  for (const [source, hosts, countries = ''] of WEBMAIL) {
    for (const host of hosts.split(' ')) {
      it(`is Email by ${source} from ${host} ${countries}`, () => {
        for (const country of countries.split(' ')) {
          const found = arriveFrom(host.replace('*', country));
          assert.deepEqual([found.source, found.channel], [source, 'Email']);
        }
      });
    }
  }

  const others = [
    ['dailymail.co.uk', 'Referral'],
    ['mail.example.co.uk', 'Email'],
    ['mailers.example', 'Referral'],
    ['go.mail.ru', 'Organic Search'],
    ['yahoo.co.jp', 'Organic Search'],
    ['uol.com.br', 'Referral'],
    ['t-online.de', 'Referral'],
    ['orange.fr', 'Referral'],
  ] as const;
  for (const [host, channel] of others) {
    it(`takes ${host} for ${channel}`, () => assert.equal(arriveFrom(host).channel, channel));
  }
});

describe('frames of ad networks', () => {
  const frames = [
    ['googleads.g.doubleclick.net', 'Google', 'Display'],
    ['tpc.googlesyndication.com', 'Google', 'Display'],
    ['0a1b2c.safeframe.googlesyndication.com', 'Google', 'Display'],
    ['syndicatedsearch.goog', 'Google', 'Paid Search'],
    ['cdn.taboola.com', 'Taboola', 'Display'],
    ['paid.outbrain.com', 'Outbrain', 'Display'],
    ['ads.eu.criteo.com', 'Criteo', 'Display'],
    ['aax-us-east.amazon-adsystem.com', 'Amazon', 'Display'],
    ['yandexadexchange.net', 'Yandex', 'Display'],
    ['taboola.com', 'taboola.com', 'Referral'],
  ] as const;
  for (const [host, source, channel] of frames) {
    it(`makes ${channel} by ${source} of ${host}`, () => {
      const found = arriveFrom(host);
      assert.deepEqual([found.source, found.channel], [source, channel]);
    });
  }

  it('are all paid', () => {
    for (const { host } of readFactTable('ad-frames.csv', ['host', 'source', 'medium'])) {
      assert.match(arriveFrom(host.replace('*', 'a')).channel, /^(?:Display|Paid Search)$/, host);
    }
  });
});

describe('sign-in pages', () => {
  it('are never a source, not even those of mail providers', () => {
    for (const { host, path } of readFactTable('sign-in-hosts.csv', ['host', 'path', 'provider'])) {
      const page = `${host.replace('*', 'a')}${path.replace('*', 'a')}`;
      assert.equal(arriveFrom(page).source, '', page);
    }
  });

  it('have no host twice', () => {
    const pages = readFactTable('sign-in-hosts.csv', ['host', 'path', 'provider']);
    const keys = pages.map(({ host, path }) => host + path);
    assert.equal(new Set(keys).size, keys.length);
  });
});

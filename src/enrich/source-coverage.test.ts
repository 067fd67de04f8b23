import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourceKind } from '#domain/acquisition/channels/channel-facts.ts';
import { loadSourceNames } from './source-names.ts';

/**
 * What Google Analytics publishes as sources (help 9756891, as of 2026-11), by kind: hosts and tags;
 * `badoo~` stands for badoo and badoo.com, `_` for a blank. Left out are those that are another kind here:
 * the webmail of Yandex, Seznam, Rambler and Ukr.net is mail, Rakuten a shop.
 */
const PUBLISHED: readonly (readonly [kind: SourceKind, sources: string])[] = [
  [
    'search',
    `
    360.cn alice aol ar.search.yahoo.com ask at.search.yahoo.com au.search.yahoo.com auone
    avg babylon baidu biglobe biglobe.co.jp biglobe.ne.jp bing br.search.yahoo.com
    ca.search.yahoo.com centrum.cz ch.search.yahoo.com cl.search.yahoo.com cn.bing.com cnn
    co.search.yahoo.com comcast conduit daum daum.net de.search.yahoo.com
    dk.search.yahoo.com dogpile~ duckduckgo ecosia.org eniro
    es.search.yahoo.com espanol.search.yahoo.com exalead.com excite.com fi.search.yahoo.com
    firmy.cz fr.search.yahoo.com globo go.mail.ru google google-play hk.search.yahoo.com
    id.search.yahoo.com in.search.yahoo.com incredimail it.search.yahoo.com kvasir
    lens.google.com lite.qwant.com lycos m.baidu.com m.naver.com m.search.naver.com
    m.sogou.com malaysia.search.yahoo.com msn~ mx.search.yahoo.com najdi
    naver~ news.google.com nl.search.yahoo.com no.search.yahoo.com ntp.msn.com
    nz.search.yahoo.com onet onet.pl pe.search.yahoo.com ph.search.yahoo.com
    pl.search.yahoo.com play.google.com qwant~ rambler rambler.ru se.search.yahoo.com
    search-results search.aol.co.uk search.aol.com search.google.com search.smt.docomo.ne.jp
    search.ukr.net seznam seznam.cz sg.search.yahoo.com so.com sogou~
    sp-web.search.auone.jp startsiden startsiden.no suche.aol.de terra th.search.yahoo.com
    tr.search.yahoo.com tut.by tw.search.yahoo.com uk.search.yahoo.com ukr
    us.search.yahoo.com virgilio vn.search.yahoo.com wap.sogou.com webmaster.yandex.ru
    websearch.rakuten.co.jp yahoo~ yahoo.co.jp yandex~ yandex.by yandex.com.tr yandex.fr
    yandex.kz yandex.ru yandex.ua yandex.uz zen.yandex.ru`,
  ],
  [
    'social',
    `
    43things~ 51.com 5ch.net academia.edu activerain~ activeworlds~ addthis~ airg.ca
    allnurses.com allrecipes.com alumniclass~ ameba.jp ameblo.jp americantowns~
    amp.reddit.com ancestry.com anobii~ answerbag~ answers.yahoo.com aolanswers~
    apps.facebook.com ar.pinterest.com artstation.com askubuntu~ asmallworld.com athlinks~
    away.vk.com awe.sm b.hatena.ne.jp baby-gaga~ babyblog.ru badoo~ bebo~ beforeitsnews~
    bharatstudent~ biip.no biswap.org bit.ly blackcareernetwork.com blackplanet~ blip.fm
    blog.com blog.feedspot.com blog.goo.ne.jp blog.naver.com blog.yahoo.co.jp blogg.no
    bloggang.com blogger~ blogher~ bloglines~ blogs.com blogsome~ blogspot~ blogster~
    blurtit~ bookmarks.yahoo.co.jp bookmarks.yahoo.com br.pinterest.com brightkite~ brizzly~
    business.facebook.com buzzfeed~ buzznet~ cafe.naver.com cafemom~ camospace~
    canalblog.com care.com care2~ caringbridge.org catster~ cbnt.io cellufun~ centerblog.net
    chat.zalo.me chegg.com chicagonow~ chiebukuro.yahoo.co.jp classmates~ classquest~
    co.pinterest.com cocolog-nifty~ copainsdavant.linternaute.com couchsurfing.org cozycot~
    cross.tv crunchyroll~ cyworld~ cz.pinterest.com d.hatena.ne.jp dailystrength.org
    deluxe.com deviantart~ dianping~ digg~ diigo~ discover.hubpages.com disqus~ dogster~
    dol2day~ doostang~ dopplr~ douban~ draft.blogger.com draugiem.lv drugs-forum~ dzone~
    edublogs.org elftown~ epicurious.com everforo.com exblog.jp extole~ facebook~ faceparty~
    fandom.com fanpop~ fark~ fb fb.me fc2~ feedspot feministing~ filmaffinity~ flickr~
    flipboard~ folkdirect~ foodservice~ forums.androidcentral.com forums.crackberry.com
    forums.imore.com forums.nexopia.com forums.webosnation.com forums.wpcentral.com fotki~
    fotolog~ foursquare~ free.facebook.com friendfeed~ fruehstueckstreff.org fubar~
    gaiaonline~ gamerdna~ gather.com geni.com getpocket.com glassboard~ glassdoor~ godtube~
    goldenline.pl goldstar~ goo.gl gooblog goodreads~ google+ googlegroups.com googleplus
    govloop~ gowalla~ gree.jp groups.google.com gulli.com gutefrage.net habbo~ hatena hi5~
    hootsuite~ houzz~ hoverspot~ hr.com hu.pinterest.com hubculture~ hubpages.com hyves.net
    hyves.nl ibibo~ id.pinterest.com identi.ca ig imageshack~ imageshack.us imvu~
    in.pinterest.com insanejournal~ instagram~ instapaper~ internations.org interpals.net
    intherooms~ irc-galleria.net is.gd italki~ jammerdirect~ jappy.com jappy.de kaboodle.com
    kakao~ kakaocorp.com kaneva~ kin.naver.com l.facebook.com l.instagram.com
    l.messenger.com last.fm librarything~ lifestream.aol.com line line.me linkedin~ listal~
    listography~ livedoor.com livedoorblog livejournal~ lm.facebook.com lnkd.in
    m.blog.naver.com m.cafe.naver.com m.facebook.com m.kin.naver.com m.vk.com m.yelp.com
    mbga.jp medium.com meetin.org meetup~ meinvz.net meneame.net menuism.com
    messages.google.com messages.yahoo.co.jp messenger~ mix.com mixi.jp mobile.facebook.com
    mocospace~ mouthshut~ movabletype~ mubi~ my.opera.com myanimelist.net myheritage~
    mylife~ mymodernmet~ myspace~ netvibes~ news.ycombinator.com newsshowcase nexopia
    ngopost.org niconico nicovideo.jp nightlifelink~ ning~ nl.pinterest.com odnoklassniki.ru
    odnoklassniki.ua okwave.jp old.reddit.com oneworldgroup.org onstartups~ opendiary~
    oshiete.goo.ne.jp out.reddit.com over-blog.com overblog.com paper.li partyflock.nl
    photobucket~ pinboard pinboard.in pingsta~ pinterest~ pinterest.at pinterest.ca
    pinterest.ch pinterest.cl pinterest.co.kr pinterest.co.uk pinterest.com.au
    pinterest.com.mx pinterest.de pinterest.es pinterest.fr pinterest.it pinterest.jp
    pinterest.nz pinterest.ph pinterest.pt pinterest.ru pinterest.se pixiv.net
    pl.pinterest.com playahead.se plurk~ plus.google.com plus.url.google.com pocket.co
    posterous~ pro.homeadvisor.com pulse.yahoo.com qapacity~ quechup~ quora~ qzone.qq.com
    ravelry~ reddit~ redux~ renren~ researchgate.net reunion~ reverbnation~ rtl.de ryze~
    salespider~ scoop.it screenrant~ scribd~ scvngr~ secondlife~ serverfault~ shareit
    sharethis~ shvoong.com sites.google.com skype skyrock~ slashdot.org slideshare.net
    smartnews.com snapchat~ social sociallife.com.br socialvibe~ spaces.live.com spoke~
    spruz~ ssense.com stackapps~ stackexchange~ stackoverflow~ stardoll.com stickam~
    studivz.net suomi24.fi superuser~ sweeva~ t.co t.me tagged~ taggedmail~ talkbiznow~
    taringa.net techmeme~ tencent~ tiktok~ tinyurl~ toolbox~ touch.facebook.com
    tr.pinterest.com travellerspoint~ tripadvisor~ trombi~ trustpilot tudou~ tuenti~ tumblr~
    tweetdeck~ twitter~ twoo.com typepad~ unblog.fr urbanspoon.com ushareit.com ushi.cn
    vampirefreaks~ vampirerave~ vg.no video.ibm.com vk.com vkontakte.ru wakoopa~ wattpad~
    web.facebook.com web.skype.com webshots~ wechat~ weebly~ weibo~ wer-weiss-was.de weread~
    whatsapp~ wiki.answers.com wikihow.com wikitravel.org woot.com wordpress~ wordpress.org
    xanga~ xing~ yahoo-mbga.jp yammer~ yelp~ yelp.co.uk youroom.in za.pinterest.com zalo
    zoo.gr zooppa~`,
  ],
  [
    'shopping',
    `
    aax-us-east.amazon-adsystem.com aax.amazon-adsystem.com alibaba~ amazon~ amazon.co.uk
    apps.shopify.com checkout.shopify.com checkout.stripe.com cr.shopping.naver.com
    cr2.shopping.naver.com ebay~ ebay.co.uk ebay.com.au ebay.de etsy~ google_shopping
    igshopping m.alibaba.com m.shopping.naver.com mercadolibre~ mercadolibre.com.ar
    mercadolibre.com.mx message.alibaba.com msearch.shopping.naver.com nl.shopping.net
    no.shopping.net offer.alibaba.com one.walmart.com order.shopping.yahoo.co.jp
    partners.shopify.com s3.amazonaws.com se.shopping.net shop.app shopify~
    shopping.naver.com shopping.yahoo.co.jp shopping.yahoo.com shopzilla~ simplycodes.com
    store.shopping.yahoo.co.jp stripe~ uk.shopping.net walmart~`,
  ],
  [
    'video',
    `
    blog.twitch.tv crackle~ curiositystream~ d.tube dailymotion~ dashboard.twitch.tv
    disneyplus~ fast.wistia.net help.hulu.com help.netflix.com hulu~ id.twitch.tv iq.com
    iqiyi~ jobs.netflix.com justin.tv m.twitch.tv m.youtube.com music.youtube.com netflix~
    player.twitch.tv player.vimeo.com ted~ twitch twitch.tv utreon~ veoh~
    viadeo.journaldunet.com vimeo~ wistia~ youku~ youtube~`,
  ],
];

describe('the table of source names', () => {
  const { nameTag, kindOf } = loadSourceNames();
  const published = PUBLISHED.flatMap(([kind, sources]) =>
    sources
      .trim()
      .split(/\s+/)
      .flatMap((word) =>
        word.endsWith('~') ? [word.slice(0, -1), word.replace('~', '.com')] : [word],
      )
      .map((source) => [source.replace('_', ' '), kind] as const),
  );

  it('covers every source that Google Analytics publishes, in its kind', () => {
    assert.equal(published.length, 813);
    const wrong = published.filter(([source, kind]) => kindOf(nameTag(source)) !== kind);
    assert.deepEqual(wrong, []);
  });

  it('knows them in any case', () => {
    const wrong = published.filter(([source]) => nameTag(source.toUpperCase()) !== nameTag(source));
    assert.deepEqual(wrong, []);
  });
});

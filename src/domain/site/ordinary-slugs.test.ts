import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskSecrets } from './mask-secrets.ts';

/** What sites call their pages, in several languages, with files, versions, dates and products. */
const SLUGS = `
about-us contact privacy-policy terms-and-conditions frequently-asked-questions customer-success-stories shipping
the-10-best-teas-of-2026 how-to-brew-the-perfect-cup-of-earl-grey 7-habits-of-highly-effective-people 404 careers
why-we-moved-from-kubernetes-to-a-single-server what-is-oauth2-and-why-should-you-care sha256-vs-sha512 press
i-built-a-saas-in-30-days-and-this-is-what-happened covid19-vaccine-appointments-near-me top-100-albums-of-the-2010s
internationalization-and-localization pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism
supercalifragilisticexpialidocious donaudampfschifffahrtsgesellschaft1 rindfleischetikettierungsgesetz
kraftfahrzeughaftpflichtversicherung allgemeine-geschaeftsbedingungen ueber-uns impressum datenschutzerklaerung
barrierefreiheitsstaerkungsgesetz-2025 grundstuecksverkehrsgenehmigungszustaendigkeit versandkosten-und-lieferung
die-besten-kaffeemaschinen-im-test-2026 wie-man-einen-guten-tee-kocht oeffnungszeiten lebensversicherung
conditions-generales-de-vente mentions-legales politique-de-confidentialite nos-meilleures-recettes-de-cuisine
anticonstitutionnellement qu-est-ce-que-c-est livraison-gratuite-des-50-euros a-propos boutique-en-ligne
politica-de-privacidad terminos-y-condiciones preguntas-frecuentes electroencefalografista gastos-de-envio
las-10-mejores-peliculas-de-2025 como-hacer-pan-en-casa sobre-nosotros contacto quienes-somos mi-cuenta
informativa-sulla-privacy precipitevolissimevolmente condizioni-di-vendita chi-siamo spedizioni-e-resi prodotti
politica-de-cookies inconstitucionalissimamente perguntas-frequentes quem-somos entrega-e-devolucoes carrinho
algemene-voorwaarden veelgestelde-vragen over-ons arbeidsongeschiktheidsverzekering verzendkosten winkelwagen
hottentottententententoonstelling integritetspolicy vanliga-fragor om-oss realisationsvinstbeskattning varukorg
lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas tietosuojaseloste usein-kysytyt-kysymykset
polityka-prywatnosci regulamin-sklepu konstantynopolitanczykowianeczka o-nas dostawa-i-platnosc koszyk
obchodni-podminky nejneobhospodarovavatelnejsimi ochrana-osobnich-udaju gizlilik-politikasi hakkimizda
muvaffakiyetsizlestiricilestiriveremeyebileceklerimizdenmissinizcesine chinh-sach-bao-mat gioi-thieu tin-tuc
megszentsegtelenithetetlensegeskedeseitekert adatvedelmi-nyilatkozat kebijakan-privasi tentang-kami
%E3%82%A2%E3%83%97%E3%83%AA%E3%82%B1%E3%83%BC%E3%82%B7%E3%83%A7%E3%83%B3-2026 %D0%BE-%D0%BD%D0%B0%D1%81
%C3%BCber-uns caf%C3%A9-cr%C3%A8me %E5%85%B3%E4%BA%8E%E6%88%91%E4%BB%AC %D8%B5%D9%81%D8%AD%D8%A9 ma%20page%202026
Summer%20Sale%20%28new%29%20%26%20more%202026 R%26D tea+for+two+and+two+for+tea C%2B%2B-Primer-5th-Edition
iphone-15-pro-max-256gb samsung-galaxy-s24-ultra-5g-512gb-titanium-black macbook-pro-14-m3-max-36gb-1tb-ssd
sony-wh-1000xm5-wireless-noise-cancelling-headphones nvidia-geforce-rtx-4090-24gb-gddr6x amd-ryzen-9-7950x3d
lg-oled55c3-55-inch-4k-smart-tv playstation-5-slim-1tb canon-eos-r5-mark-ii-rf24-105mm dji-mini-4-pro-fly-more-combo
bosch-gsr-18v-55-professional 2x4-8ft-lumber 3-pack-aa-batteries-lr6-1-5v usb-c-to-usb-a-3-1-gen-2-cable-2m
ddr5-6000-cl30-32gb-kit wd-black-sn850x-2tb-nvme-m-2 nike-air-max-90-size-9-5 levis-501-w32-l34 h7-12v-55w-px26d
Canon-EOS-R5-RF24-105mm-F4L-IS-USM-Kit-V2-4K60P HP-EliteBook-840-G10-i7 LG-OLED55C3-4K-Smart-TV MSI-B650-Tomahawk
Samsung-QE55Q80CATXZT-4K-QLED Sony-WH1000XM5-Wireless ASUS-ROG-Strix-G16JVR-N4 Bosch-GSR18V-55-Professional
Makita-DDF482RTJ-18V-LXT MSI-GeForce-RTX4090-24GB DJI_Mini4Pro_FlyMoreCombo B08N5WRWNW dQw4w9WgXcQ MLB-1234567890
p-123456 sku-000123456789 1048576 1234567890123456 9783161484100 EAN-4006381333931 ABC-12345-XYZ-2026 item-9f8e7d6c
getElementsByClassName XMLHttpRequestUpload addEventListenerOptions InternationalizationService useDeferredValue
AbstractSingletonProxyFactoryBean ThisIsAVeryLongWikiPageName MyFirstBlogPostAboutTea YouTubeMusicPremium
List_of_countries_by_population_(United_Nations) Python_(programming_language) Main_Page Category:1990s_films
2026-11-29 2026-11-29T13:38:12Z 20261129T133812Z 2026-W48 november-2026 q4-2026-earnings-call 1999-2024 20261129
v2.14.3 1.0.0-beta.11 v1.2.3-rc.1 release-2024.04.1 4.19.0-21-cloud-amd64 node-v26.10.0-linux-x64.tar.gz latest
react@18.2.0 jquery-3.7.1.min.js bootstrap.bundle.min.js.map main.css index.html sitemap-2.xml.gz robots.txt
annual-report-2025-final-v3.pdf IMG_20240115_123456_HDR.jpg DSC_0042.JPG Screenshot_20240115-123456_Chrome.png
WhatsAppImage2024-01-15at10.30.jpeg invoice-template.docx Q3-2025_Results_Presentation.pptx ubuntu-24.04.1-desktop.iso
x86_64-unknown-linux-gnu aarch64-apple-darwin rfc9110 ISO-8601 en-GB zh-Hans-CN us-east-1 eu-central-1a utf-8 @anna
123e4567-e89b-12d3-a456-426614174000 earl-grey-of-the-finest-123e4567-e89b-12d3-a456-426614174000 checkout
step-2 page-12 comments-365 user-settings two-factor-authentication forgot-password order-confirmation thank-you
DE_Search_Brand_Exact_2024Q4_v2 black-friday-2026_retargeting_DE spring_sale_20-percent-off Newsletter_2026-11_B
`
  .trim()
  .split(/\s+/);

it(`masks none of ${SLUGS.length} ordinary names of pages`, () => {
  assert.ok(SLUGS.length >= 200);
  assert.deepEqual(
    SLUGS.filter((slug) => maskSecrets(`/shop/${slug}`) !== `/shop/${slug}`),
    [],
  );
});

it('masks no step or service after a word that comes before secrets', () => {
  const pages = [
    ...[
      '/reset-password/confirmation',
      '/verify-email/success',
      '/invite/friends',
      '/share/facebook',
    ],
    ...['/account/activate/completed', '/password/forgotten', '/token/refresh', '/magic/link'],
    ...[
      '/market-share/microsoft',
      '/presets/lightroom',
      '/tokens/ethereum',
      '/share-price/volkswagen',
    ],
  ];
  assert.deepEqual(pages.map(maskSecrets), pages);
});

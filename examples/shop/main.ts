import { createShop } from './shop.ts';

const { TRIBUTARY_URL = 'http://127.0.0.1:8787', TRIBUTARY_KEY, SITE = 'localhost' } = process.env;

if (!TRIBUTARY_KEY) {
  console.error('Set TRIBUTARY_KEY to a key of the site; examples/shop/README.md shows how.');
  process.exit(2);
}

const PORT = Number(process.env.PORT ?? 3000);
createShop({ site: SITE, tributary: { url: TRIBUTARY_URL, key: TRIBUTARY_KEY } }).listen(PORT, () =>
  console.log(`The shop is open at http://localhost:${PORT}/?utm_source=newsletter`),
);

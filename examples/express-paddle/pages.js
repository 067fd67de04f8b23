const {
  SITE = 'localhost',
  TRIBUTARY_SCRIPT = 'http://127.0.0.1:8787/js/script.js',
  PADDLE_JS = 'https://cdn.paddle.com/paddle/v2/paddle.js',
  PADDLE_CLIENT_TOKEN = '',
  PADDLE_API = 'sandbox',
} = process.env;

/** A page with Tributary's script. A site on the internet needs no `data-allow-localhost`. */
export const toPage = (title, body) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title} · Kettle &amp; Co.</title>
  <link rel="icon" href="data:,">
  <script async data-allow-localhost data-site="${SITE}" src="${TRIBUTARY_SCRIPT}"></script>
</head>
<body>
  <h1>${title}</h1>
  ${body}
</body>
</html>`;

export const SHOP = `
  <form method="post" action="/checkout">
    <p>The enamelled kettle, 29.99 EUR</p>
    <button>Buy</button>
  </form>`;

/** Paddle.js opens the checkout of the transaction that the address names in `_ptxn`. */
export const pay = () => `
  <script src="${PADDLE_JS}"></script>
  <script>
    ${PADDLE_API === 'sandbox' ? "Paddle.Environment.set('sandbox');" : ''}
    Paddle.Initialize({
      token: '${PADDLE_CLIENT_TOKEN}',
      checkout: { settings: { successUrl: new URL('/thanks', location.href).href } },
    });
  </script>`;

export const THANKS = '<p>Thank you. The kettle is on its way.</p>';

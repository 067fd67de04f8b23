/** What every page needs to carry the script. */
export type Layout = { readonly site: string; readonly scriptUrl: string };

/** A page of the shop with the script in its head: all that a site adds by hand. */
export function toPage({ site, scriptUrl }: Layout, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Kettle &amp; Co.</title>
  <link rel="icon" href="data:,">
  <script async data-allow-localhost data-site="${toHtml(site)}" src="${toHtml(scriptUrl)}"></script>
</head>
<body>
  <nav><a href="/">Home</a> <a href="/kettles">Kettles</a> <a href="/sign-up">Sign up</a></nav>
  <h1>${title}</h1>
  ${body}
</body>
</html>`;
}

export const HOME = '<p>Everything for tea. <a href="/kettles">See the kettles</a></p>';

export const KETTLES = `
  <form method="post" action="/checkout">
    <p>The enamelled kettle, 29.99 EUR</p>
    <label>E-mail <input type="email" name="email" required></label>
    <button>Buy</button>
  </form>`;

export const SIGN_UP = `
  <form method="post" action="/sign-up">
    <label><input type="radio" name="plan" value="letter" checked> Letters</label>
    <label><input type="radio" name="plan" value="club"> Tea club</label>
    <button>Sign up</button>
  </form>`;

export const WELCOME = '<p>You are one of us now. <a href="/kettles">See the kettles</a></p>';

/** The page after a payment, from which it can be refunded. */
export function toReceipt(transactionId: string): string {
  return `
  <p>Thank you. Your payment is <code>${toHtml(transactionId)}</code>.</p>
  <form method="post" action="/refund">
    <input type="hidden" name="transaction_id" value="${toHtml(transactionId)}">
    <button>Send it back</button>
  </form>`;
}

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

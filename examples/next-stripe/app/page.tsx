export default function Shop() {
  return (
    <main>
      <h1>Kettles</h1>
      <p>The enamelled kettle, 29.99 EUR</p>
      <form method="post" action="/checkout">
        <button type="submit">Buy</button>
      </form>
    </main>
  );
}

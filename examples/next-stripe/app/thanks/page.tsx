export default function Thanks() {
  return (
    <main>
      <h1>Thanks</h1>
      <p>The kettle is on its way.</p>
    </main>
  );
}

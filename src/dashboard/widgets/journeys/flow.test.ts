import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Path, PLACE_WIDTH, toFlow } from './flow.ts';

const WIDTH = 800;
const COLUMNS = 4;

/** `/pricing > /signup` as a path. */
function pathOf(text: string, reached: number, { ended = 0, other = 0 } = {}): Path {
  const path = text === '' ? [] : text.split(' > ').map((page) => ({ type: 'page', path: page }));
  const revenue = { value: '0.00', currency: 'EUR' };
  return { path, reached, share: reached, ended, other, revenue } as Path;
}

const PATHS = [
  pathOf('', 100, { ended: 30, other: 5 }),
  pathOf('/a', 60, { ended: 10 }),
  pathOf('/a > /b', 50, { ended: 50 }),
  pathOf('/c', 4, { ended: 4 }),
  pathOf('/d', 1, { ended: 1 }),
];

describe('the picture of journeys', () => {
  const { places, streams, height } = toFlow(PATHS, WIDTH, COLUMNS);
  const namesOf = (kind: string) =>
    places
      .filter((each) => each.kind === kind)
      .map(({ path, people }) => `${path.map((step) => step.path).join(' > ')} ${people}`);

  it('has a place for each path, and draws the rare ones as one', () => {
    assert.deepEqual(namesOf('start'), [' 100']);
    assert.deepEqual(namesOf('step'), ['/a 60', '/a > /b 50', '/c 4']);
    assert.deepEqual(namesOf('other'), [' 6']);
    assert.deepEqual(namesOf('left'), ['/a > /b 50', '/a 10', '/c 4', ' 30']);
    assert.equal(streams.length, places.length - 1);
  });

  it('names the most common way on, though it is rare, unless next to nobody took it', () => {
    const rareAfter = (most: number) => {
      const paths = [pathOf('', 1000), pathOf('/a', 1000), pathOf('/a > /b', 100)];
      const last = [pathOf('/a > /b > /c', most), pathOf('/a > /b > /d', most - 1)];
      return toFlow([...paths, ...last], WIDTH, COLUMNS).places.map(({ id }) =>
        id.split(' ').at(-1),
      );
    };
    assert.ok(rareAfter(6).includes('/c') && !rareAfter(6).includes('/d'));
    assert.ok(!rareAfter(4).includes('/c'));
  });

  it('loses nobody where only rare paths follow', () => {
    const paths = [pathOf('', 20), pathOf('/a', 20, { ended: 8, other: 12 })];
    const { places } = toFlow(paths, WIDTH, COLUMNS);
    assert.deepEqual(
      places.map(({ kind, people }) => `${kind} ${people}`),
      ['start 20', 'step 20', 'other 12', 'left 8'],
    );
  });

  it('ends in the last column, wherever people went from there', () => {
    const paths = ['', '/a', '/a > /b', '/a > /b > /c'].map((path) =>
      pathOf(path, 20, path.endsWith('/c') ? { ended: 8, other: 12 } : {}),
    );
    const { places } = toFlow(paths, WIDTH, COLUMNS);
    assert.deepEqual(
      places.map(({ kind }) => kind),
      ['start', 'step', 'step', 'step'],
    );
  });

  it('is as high as many took a path, from left to right, nothing over anything else', () => {
    const [start, first] = places;
    assert.ok(start && first);
    assert.ok(Math.abs(first.height / start.height - 0.6) < 0.01);
    const columns = Map.groupBy(places, ({ x }) => x);
    assert.deepEqual([...columns.keys()], [0, 200, 400, 600]);
    for (const column of columns.values()) {
      const inOrder = column.toSorted((a, b) => a.y - b.y);
      for (const [at, place] of inOrder.entries()) {
        assert.ok(place.x + PLACE_WIDTH <= WIDTH && place.y + place.height <= height);
        const next = inOrder[at + 1];
        assert.ok(next === undefined || place.y + place.height <= next.y);
      }
    }
  });

  it('knows the places on the way to each', () => {
    const last = places.find(({ path }) => path.length === 2);
    const ids = places.filter(({ id }) => last?.before.includes(id)).map(({ path }) => path.length);
    assert.deepEqual(ids, [0, 1]);
  });

  it('is empty when nobody began, or nobody is known', () => {
    assert.deepEqual(toFlow([pathOf('', 0)], WIDTH, COLUMNS).places, []);
    assert.deepEqual(toFlow([], WIDTH, COLUMNS).places, []);
  });
});

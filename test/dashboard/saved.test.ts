import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import type { SavedFunnel, Segment } from '#contract/sites/saved.ts';
import { type Answers, refuse } from './api/fake-api.ts';
import { REPORTS } from './api/reports.ts';
import { type OpenPage, openPage } from './browser/open-page.ts';

const SITE = '/tea.example';
const KEPT = { id: 'saved_1', created_at: '2026-11-30T00:00:00Z' };

/** Refuses names as the API does: those that are blank or taken. */
function findFault(name: string | undefined, taken: readonly string[]) {
  const fault = (message: string) =>
    refuse('invalid_request', message, [{ path: '/name', message }]);
  if (name?.trim() === '') return fault('must not be blank');
  const isTaken = taken.some((each) => each.toLowerCase() === name?.toLowerCase());
  return isTaken ? fault('There is already one with that name.') : undefined;
}

/** Keeps what is saved, as the API does. */
function keep(): Answers {
  let segments: Segment[] = [];
  let funnels: SavedFunnel[] = [];
  const removed = { id: KEPT.id, removed: true } as const;
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  return {
    'GET /api/v1/sites/:id/segments': () => ({ segments }),
    'POST /api/v1/sites/:id/segments': ({ body }) => {
      const fault = findFault(body.name, namesOf(segments));
      if (fault !== undefined) return fault;
      segments = [{ ...KEPT, shared: false, ...body }];
      return segments[0] as Segment;
    },
    'PATCH /api/v1/sites/:id/segments/:saved': ({ body }) => {
      segments = segments.map((each) => ({ ...each, ...body }));
      return segments[0] as Segment;
    },
    'DELETE /api/v1/sites/:id/segments/:saved': () => {
      segments = [];
      return removed;
    },
    'GET /api/v1/sites/:id/funnels': () => ({ funnels }),
    'POST /api/v1/sites/:id/funnels': ({ body }) => {
      funnels = [{ ...KEPT, ...body }];
      return funnels[0] as SavedFunnel;
    },
    'PATCH /api/v1/sites/:id/funnels/:saved': ({ body }) => {
      const fault = findFault(body.name, []);
      if (fault !== undefined) return fault;
      funnels = funnels.map((each) => ({ ...each, ...body }));
      return funnels[0] as SavedFunnel;
    },
    'DELETE /api/v1/sites/:id/funnels/:saved': () => {
      funnels = [];
      return removed;
    },
  };
}

const click = async ({ user, screen }: OpenPage, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

async function fill({ user, screen }: OpenPage, label: string | RegExp, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  await user.type(field, text);
}

/** Answers the question that comes before something is deleted. */
async function remove(page: OpenPage, name: string) {
  const dialog = await page.part('dialog', `Delete ${name}?`);
  await page.user.click(dialog.getByRole('button', { name: `Delete ${name}` }));
}

describe('segments', () => {
  const FILTER = 'f=is,visit:source,Google';

  it('are filters with a name, applied, renamed and deleted by a click', async (t) => {
    const page = await openPage(t, `${SITE}/people?${FILTER}`, keep());
    await click(page, 'Segments');
    await fill(page, 'Name', '<b>G');
    await page.user.click(page.screen.getByLabelText('For everybody on this site'));
    await click(page, 'Save these filters');
    await page.screen.findByRole('button', { name: '<b>G shared' });
    page.open(`${SITE}/people?period=7d`);
    await click(page, 'Segments');
    await click(page, '<b>G shared');
    await page.reaches(`${SITE}/people?period=7d&${FILTER}`);
    await click(page, 'Segments');
    await click(page, 'Rename <b>G');
    await fill(page, 'New name of <b>G', 'Goo');
    await click(page, 'Save the name');
    const renamed = await page.screen.findByRole('button', { name: 'Rename Goo' });
    await waitFor(() => assert.ok(document.activeElement === renamed));
    await click(page, 'Delete Goo');
    await remove(page, 'Goo');
    await page.screen.findByText(/No segment is saved yet/);
  });

  it('have a name each', async (t) => {
    const page = await openPage(t, `${SITE}/people?${FILTER}`, keep());
    await click(page, 'Segments');
    await fill(page, 'Name', ' ');
    await click(page, 'Save these filters');
    await page.screen.findByText(/must not be blank/);
    await fill(page, 'Name', 'Se');
    await click(page, 'Save these filters');
    await page.screen.findByRole('button', { name: 'Rename Se' });
    await fill(page, 'Name', 'se');
    await click(page, 'Save these filters');
    await page.screen.findByText(/There is already one/);
    const name = page.screen.getByLabelText('Name');
    assert.equal(name.getAttribute('aria-invalid'), 'true');
  });
});

describe('saved funnels', () => {
  it('keep a name and a lasting address, and are deleted', async (t) => {
    const steps = 'step=page,/teas&step=payment&within=7d';
    const page = await openPage(t, `${SITE}/funnels?${steps}`, keep());
    const title = (name: string) => page.screen.findByRole('heading', { name, level: 1 });
    await click(page, 'Saved');
    await fill(page, 'Name', '<b>p');
    await click(page, 'Save this funnel');
    const link = await page.screen.findByRole('link', { name: '<b>p' });
    const target = link.getAttribute('href') ?? '';
    page.open(`${target}?period=7d`);
    await page.reaches(`${SITE}/funnels?period=7d&${steps}`);
    await title('<b>p');
    await click(page, 'Saved');
    await click(page, 'Rename <b>p');
    await fill(page, 'New name of <b>p', ' ');
    await click(page, 'Save the name');
    await page.screen.findByText(/must not be blank/);
    await fill(page, 'New name of <b>p', 'Bu');
    await click(page, 'Save the name');
    await title('Bu');
    await click(page, 'Delete Bu');
    await remove(page, 'Bu');
    await page.screen.findByText(/No funnel is saved yet/);
    page.open(target);
    await page.screen.findByText('This funnel was deleted.');
    await page.user.click(page.screen.getByRole('link', { name: 'All funnels' }));
    await page.reaches(`${SITE}/funnels`);
  });

  it('stand in a panel of the overview, or why their figures do not', async (t) => {
    const steps: SavedFunnel['steps'] = [{ type: 'page', path: '/' }, { type: 'payment' }];
    const page = await openPage(t, `${SITE}?tab=funnels`, {
      'GET /api/v1/sites/:id/funnels': { funnels: [{ ...KEPT, name: '<b>pay</b>', steps }] },
      'POST /api/v1/query/funnel': refuse('invalid_request', 'The days are too many.'),
    });
    await page.screen.findByText(/The days are too many\./);
    page.api.answer(REPORTS);
    page.open();
    await page.screen.findByText(/^\d.*%$/, { selector: 'tr:has(a[href*="funnels"]) *' });
    await page.user.click(page.screen.getByText('<b>pay</b>'));
    await page.reaches(/\/funnels/);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { waitFor } from '@testing-library/dom';
import { answerQuery } from './api/figures.ts';
import { openPage as open } from './browser/open-page.ts';

const SITE = '/tea.example';

/** Opens the overview and waits for its figures: keys work from then on. */
async function openPage(t: TestContext, search = '') {
  const page = await open(t, SITE + search);
  await page.screen.findByRole('button', { name: /^Visitors\s*\d/ });
  const click = async (role: string, name: string | RegExp) =>
    page.user.click(await page.screen.findByRole(role, { name }));
  return { ...page, click };
}

describe('the bar of choices', () => {
  it('chooses a period by menu and by key', async (t) => {
    const { user, click, reaches, screen } = await openPage(t);
    await click('button', /^Period/);
    await click('menuitemradio', /Last 7 days/);
    await reaches(`${SITE}?period=7d`);
    await waitFor(() => assert.ok(screen.queryByRole('menu') === null));
    await user.keyboard('l');
    await reaches(`${SITE}?period=last_month`);
    await screen.findByRole('button', { name: /^Period: Last month/ });
  });

  it('leads to the period before and after, by button and by key', async (t) => {
    const { user, click, reaches } = await openPage(t, '?period=last_month');
    await user.keyboard('.');
    await reaches(`${SITE}?period=month`);
    await click('button', 'Previous period');
    await reaches(`${SITE}?period=last_month`);
    await user.keyboard(',');
    await reaches(`${SITE}?period=custom&from=2026-09-01&to=2026-09-30`);
  });

  it('adds nothing to go back to where a key changes nothing', async (t) => {
    const { user, reaches } = await openPage(t);
    const before = history.length;
    await user.keyboard('.t2,');
    await reaches(`${SITE}?period=custom&from=2026-10-02&to=2026-10-31`);
    assert.equal(history.length, before + 1);
  });

  it('takes typed days, in either order', async (t) => {
    const { user, part, reaches } = await openPage(t);
    await user.keyboard('c');
    const days = await part('dialog', 'Days of the period');
    await user.clear(days.getByLabelText('First day'));
    await user.type(days.getByLabelText('First day'), '2026-02-20');
    await user.clear(days.getByLabelText('Last day'));
    await user.type(days.getByLabelText('Last day'), '2026-02-10');
    await user.click(days.getByRole('button', { name: 'Apply' }));
    await reaches(`${SITE}?period=custom&from=2026-02-10&to=2026-02-20`);
  });

  it('starts at the days that are shown, also of the last 24 hours', async (t) => {
    const { user, part, screen } = await openPage(t, '?period=24h');
    const previous = screen.getByRole('button', { name: 'Previous period' });
    assert.match(previous.title, /^Last 24 hours: choose days/);
    await user.keyboard('c');
    const days = await part('dialog', 'Days of the period');
    assert.equal(days.getByLabelText<HTMLInputElement>('First day').value, '2026-11-29');
    assert.equal(days.getByLabelText<HTMLInputElement>('Last day').value, '2026-11-30');
  });

  it('chooses days of a calendar with the keyboard alone', async (t) => {
    const { user, reaches } = await openPage(t);
    await user.keyboard('c');
    await waitFor(() => assert.equal(focused().dataset.day, '2026-11-30'));
    await user.keyboard('{Enter}{ArrowUp}{Enter}');
    await reaches(`${SITE}?period=custom&from=2026-11-23&to=2026-11-30`);
  });

  it('opens a menu with the keyboard, and gives the focus back', async (t) => {
    const { user, screen, reaches } = await openPage(t);
    screen.getByRole('button', { name: /^Attribution:/ }).focus();
    await user.keyboard('{ArrowDown}');
    await screen.findByRole('menu');
    await user.keyboard('{Escape}');
    await waitFor(() => assert.match(focused().getAttribute('aria-label') ?? '', /^Attribution/));
    await user.keyboard('{Enter}');
    await screen.findByRole('menu');
    await user.keyboard('Lin{Enter}');
    await reaches(`${SITE}?model=linear`);
  });

  it('compares the same weekdays of the year before', async (t) => {
    const { api, click } = await openPage(t);
    await click('button', /^Comparison/);
    await click('menuitemradio', /Year before/);
    await waitFor(() => {
      const sent = api.calls('POST /api/v1/query').at(-1)?.body;
      assert.equal(sent?.date_range, '30d');
      assert.equal(sent.include?.compare, 'same_weekdays');
    });
  });

  it('compares months with months, as much of them as has passed', async (t) => {
    const { api } = await openPage(t, '?period=month');
    const sent = api.calls('POST /api/v1/query').map(({ body }) => body.include?.compare);
    assert.deepEqual(sent.find(Array.isArray), ['2026-10-01', '2026-10-30']);
  });

  it('chooses the attribution model', async (t) => {
    const { click, reaches, screen } = await openPage(t);
    await click('button', /^Attribution:/);
    await click('menuitemradio', 'Linear');
    await reaches(`${SITE}?model=linear`);
    await screen.findByRole('button', { name: 'Attribution: Linear · all time' });
  });

  it('adds a filter from what is suggested, turns it round, and takes it away', async (t) => {
    const { user, click, reaches, screen } = await openPage(t);
    await user.keyboard('f');
    await user.selectOptions(await screen.findByLabelText('Filter by'), 'Device');
    await click('checkbox', /Mobile/);
    await click('button', 'Apply');
    await reaches(`${SITE}?f=is,visit:device,mobile`);
    await screen.findByRole('button', { name: /^Visitors\s*2/ });
    await click('button', 'Change is: Device is Mobile');
    await reaches(`${SITE}?f=is_not,visit:device,mobile`);
    await click('button', 'Remove filter: Device is not Mobile');
    await reaches(SITE);
  });

  it('finds a value by the name that people see', async (t) => {
    const { user, click, reaches, screen } = await openPage(t);
    await user.keyboard('f');
    await user.selectOptions(await screen.findByLabelText('Filter by'), 'Country');
    await screen.findByRole('checkbox', { name: /Germany/ });
    await user.type(screen.getByLabelText('Values'), 'austr');
    await waitFor(() => assert.equal(screen.getAllByRole('checkbox').length, 1));
    await screen.findByRole('checkbox', { name: /Austria/ });
    await user.type(screen.getByLabelText('Values'), 'ia');
    await click('button', 'Apply');
    await reaches(`${SITE}?f=is,visit:country,AT`);
  });

  it('filters by a property of goals, chosen by its name and its value', async (t) => {
    const { user, click, reaches, screen, part } = await openPage(t);
    await click('button', '+ Filter');
    await screen.findByRole('option', { name: 'plan', hidden: true });
    await user.selectOptions(screen.getByLabelText('Filter by'), 'plan');
    await click('checkbox', /monthly/);
    await click('button', 'Apply');
    await reaches(`${SITE}?f=is,event:props:plan,monthly`);
    await click('button', 'Change plan is monthly');
    await screen.findByRole('checkbox', { name: 'monthly', checked: true });
    const by = screen.getByLabelText<HTMLSelectElement>('Filter by');
    assert.equal(by.value, 'event:props:plan');
    await user.selectOptions(by, 'Another property…');
    await screen.findByLabelText('Name of the property');
    assert.ok((await part('dialog')).queryByRole('checkbox') === null);
    await user.type(screen.getByLabelText('Name of the property'), 'colour');
    await screen.findByRole('checkbox', { name: /\(none\)/ });
  });

  it('starts at the values of a filter that is changed', async (t) => {
    const { user, click, reaches } = await openPage(t, '?f=is,visit:source,Google');
    await click('button', 'Change Source is Google');
    await waitFor(() => assert.equal(focused().tagName, 'INPUT'));
    await user.keyboard('Bing{Enter}');
    await reaches(`${SITE}?f=is,visit:source,Google,Bing`);
  });

  it('takes what is typed as a part of a value, markup and commas as they are', async (t) => {
    const { user, click, screen } = await openPage(t);
    await click('button', '+ Filter');
    await user.type(await screen.findByLabelText('Values'), '<b>a,b</b>{Enter}');
    await screen.findByText(/<b>a,b<\/b>/);
    const filters = new URLSearchParams(location.search).getAll('f');
    assert.deepEqual(filters, ['contains,visit:source,<b>a\\,b</b>']);
    await user.keyboard('{Escape}');
    await waitFor(() => assert.equal(location.search, ''));
  });

  it('copies the link', async (t) => {
    const { click, screen } = await openPage(t, '?period=7d');
    await click('button', 'Share');
    await click('menuitem', 'Copy the link to this view');
    await screen.findByText(/Link copied/);
    assert.equal(await navigator.clipboard.readText(), location.href);
  });

  it('says which filter and which choices of the address are unknown', async (t) => {
    const filters = 'f=is,visit:nosuch,1&f=is,visit:device,mobile';
    const { click, loses, screen } = await openPage(t, `?${filters}&model=last_tuch&window=30`);
    await screen.findByText(/model=last_tuch/);
    assert.ok(screen.queryByText(/window=30/) === null);
    await screen.findByText(/is,visit:nosuch,1/);
    await click('button', 'Remove filter: Device is Mobile');
    await loses(/is,visit:nosuch,1/);
  });

  it('says which period of the address is unknown, on every page that has one', async (t) => {
    const page = await openPage(t, '?period=foo');
    await page.screen.findByText(/period=foo/);
    await page.user.keyboard('w');
    await page.loses(/period=foo/);
    for (const path of ['', '/payments']) {
      page.open(`${SITE}${path}?period=custom&from=2026-11-20&to=2026-11-01`);
      await page.screen.findByText(/from=2026-11-20 to=2026-11-01/);
    }
  });

  it('offers on each page only what changes something there', async (t) => {
    const page = await openPage(t);
    for (const [path, isCompared, isAttributed] of [
      ['', true, true],
      ['/attribution', false, true],
      ['/funnels', false, false],
      ['/journeys', false, false],
      ['/people', false, true],
    ] as const) {
      page.open(SITE + path);
      await page.screen.findByRole('button', { name: /^Period/ });
      const has = (name: RegExp) => page.screen.queryByRole('button', { name }) !== null;
      assert.deepEqual(
        [has(/^Comparison/), has(/^Attribution:/)],
        [isCompared, isAttributed],
        path,
      );
    }
  });

  it('says that exchange rates are old until the note is closed, and again when they are older', async (t) => {
    const { api, click, loses, screen, open } = await openPage(t);
    const until = (rates_until: string) =>
      api.answer({
        'POST /api/v1/query': (call) => {
          const answer = answerQuery(call);
          return { ...answer, meta: { ...answer.meta, rates_until, behind_seconds: 75 } };
        },
      });
    until('2026-04-13');
    open();
    await screen.findByText(/Exchange rates end on Apr 13(, 2026)?\./);
    await screen.findByText(/they have waited for 1 m 15 s/);
    await click('button', 'Close this note');
    await loses(/Exchange rates end/);
    open();
    await screen.findByText(/they have waited/);
    assert.ok(screen.queryByText(/Exchange rates end/) === null);
    until('2026-05-01');
    open();
    await screen.findByText(/Exchange rates end on May 1(, 2026)?\./);
  });
});

describe('the keys and the palette', () => {
  it('lists the keys at ?, and leaves typed letters alone', async (t) => {
    const { user, part, reaches } = await openPage(t);
    await user.keyboard('?');
    await part('dialog', 'Keyboard shortcuts');
    await user.keyboard('d');
    await reaches(SITE);
  });

  /** Opens the palette, types and takes the first entry. */
  const search = async ({ user, screen }: Awaited<ReturnType<typeof open>>, text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: /A page/ });
    await waitFor(() => assert.ok(document.activeElement === field));
    await user.keyboard(text);
  };

  it('reach sections and filters', async (t) => {
    const page = await openPage(t);
    await search(page, 'browser{Enter}');
    const by = await page.screen.findByLabelText<HTMLSelectElement>('Filter by');
    assert.equal(by.value, 'visit:browser');
    await page.user.keyboard('{Escape}');
    await waitFor(() => assert.ok(page.screen.queryByLabelText('Filter by') === null));
    await search(page, 'payments{Enter}');
    await page.reaches(`${SITE}/payments`);
  });

  it('filter by a value that a panel shows, and by one that none shows', async (t) => {
    const page = await openPage(t);
    await page.screen.findByRole('button', { name: 'DE Germany' });
    await search(page, 'germany{Enter}');
    await page.reaches(`${SITE}?f=is,visit:country,DE`);
    await search(page, 'google');
    await page.click('option', /^Source is\s*Google$/);
    await page.reaches(`${SITE}?f=is,visit:country,DE&f=is,visit:source,Google`);
  });

  it('reach sites from outside of them, where few keys work', async (t) => {
    const page = await openPage(t);
    for (const [path, groups] of [
      ['/', ['Filters', 'Help']],
      ['/account', ['Help']],
    ] as const) {
      page.open(path);
      await page.screen.findByRole('heading', { level: 1 });
      await page.user.keyboard('?');
      const help = await page.part('dialog', 'Keyboard shortcuts');
      const heads = help.getAllByRole('heading', { level: 3 });
      assert.deepEqual(
        heads.map((head) => head.textContent),
        groups,
      );
      await page.user.keyboard('{Escape}d');
      await page.reaches(path);
      await search(page, 'tea.example live{Enter}');
      await page.reaches(`${SITE}/live`);
    }
  });

  it('choose no period where the page has none', async (t) => {
    const page = await openPage(t);
    for (const path of [`${SITE}/live`, `${SITE}/settings/script`, `${SITE}/retention`]) {
      page.open(path);
      await page.screen.findAllByRole('heading');
      await page.user.keyboard('dx,2');
      await page.reaches(path);
      await search(page, 'last 7 days');
      await page.screen.findByText(/Nothing here is called/);
      await page.user.keyboard('{Escape}');
      await waitFor(() => assert.ok(page.screen.queryByRole('dialog') === null));
      await page.user.keyboard('?');
      const help = await page.part('dialog', 'Keyboard shortcuts');
      for (const name of ['Period', 'Chart', 'Panels']) {
        assert.ok(help.queryByRole('heading', { name }) === null, name);
      }
      await page.user.keyboard('{Escape}');
    }
  });

  it('find parts of the settings by the names that they have there', async (t) => {
    const page = await openPage(t);
    for (const [name, path] of [
      ['API keys', 'keys'],
      ['Mail and alerts', 'mail'],
    ] as const) {
      await search(page, name);
      await page.click('option', `Settings ${name}`);
      await page.reaches(`${SITE}/settings/${path}`);
      (await page.part('navigation', 'Settings')).getByText(name);
    }
  });
});

const focused = () => document.activeElement as HTMLElement;

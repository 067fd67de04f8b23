import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from '../../format/intl-forms.ts';
import { formatRate } from '../../format/numbers.ts';
import {
  isAbout,
  moveStep,
  NO_FUNNEL,
  parseFunnel,
  parseFunnelStep,
  proposeFunnels,
  STEPS_MAX,
  toFunnel,
  toWithin,
  writeFunnel,
  writeStep,
} from './steps.ts';

before(() => formatIn('en-GB'));
after(() => formatIn());

describe('a saved funnel', () => {
  const steps = [{ type: 'page', path: '/a' }, { type: 'payment' }] as const;

  it('is the same funnel on the page', () => {
    const page = [steps[0], { type: 'payment', kind: 'any' }] as const;
    assert.deepEqual(toFunnel({ steps: [...steps], within: { days: 7 } }), {
      ...NO_FUNNEL,
      steps: page,
      within: '7d',
    });
    assert.equal(toFunnel({ steps: [...steps] })?.within, NO_FUNNEL.within);
    assert.equal(toFunnel({ steps: [...steps], within: { hours: 2 } })?.within, '2h');
    assert.equal(toFunnel({ steps: [...steps], within: 'visit' })?.within, 'visit');
  });

  it('is none when it says more than the page can', () => {
    assert.equal(toFunnel({ steps: [...steps], within: { seconds: 90 } }), undefined);
    assert.equal(toFunnel({ steps: [steps[0], { type: 'goal', path: '/b' }] }), undefined);
  });
});

describe('a funnel in the address', () => {
  it('comes back as it was written, commas and all', () => {
    const funnel = {
      ...NO_FUNNEL,
      steps: [
        { type: 'page', path: '/a,b & c?' },
        { type: 'goal', name: 'sign,up' },
        { type: 'payment', kind: 'new' },
        { type: 'payment', kind: 'any' },
      ],
      within: '7d',
      split: 'visit:source',
    } as const;
    const params = writeFunnel(funnel, new URLSearchParams('period=7d&step=goal,old'));
    assert.equal(params.get('period'), '7d');
    assert.deepEqual(parseFunnel(new URLSearchParams(params.toString())), funnel);
  });

  it('is short where everything is as by default', () => {
    assert.equal(writeFunnel(NO_FUNNEL, new URLSearchParams()).toString(), '');
    assert.equal(writeStep({ type: 'payment', kind: 'any' }), 'payment');
  });

  it('leaves out what is broken', () => {
    const broken = ['', 'page', 'page,', 'payment,stolen', 'payment,toString', 'click,x'];
    assert.deepEqual(broken.map(parseFunnelStep), Array(broken.length).fill(undefined));
    assert.equal(parseFunnelStep(`page,/${'x'.repeat(500)}`), undefined);
    const params = new URLSearchParams('step=nothing&within=91d&split=event:page');
    assert.deepEqual(parseFunnel(params), NO_FUNNEL);
  });

  it('has no more steps than the API takes', () => {
    const params = new URLSearchParams(Array(12).fill(['step', 'goal,signup']));
    assert.equal(parseFunnel(params).steps.length, STEPS_MAX);
  });
});

describe('the steps of a funnel', () => {
  const steps = (['/a', '/b', '/c'] as const).map((path) => ({ type: 'page', path }) as const);
  const paths = (moved: readonly unknown[]) => moved.map((step) => (step as { path: string }).path);

  it('move, but not beyond the ends', () => {
    assert.deepEqual(paths(moveStep(steps, 2, 0)), ['/c', '/a', '/b']);
    assert.deepEqual(paths(moveStep(steps, 0, 1)), ['/b', '/a', '/c']);
    assert.equal(moveStep(steps, 0, -1), steps);
    assert.equal(moveStep(steps, 2, 3), steps);
  });

  it('are compared with those of an answer', () => {
    const asked = [
      { type: 'page', path: '/a' },
      { type: 'payment', kind: 'any' },
    ] as const;
    assert.ok(isAbout(asked, [{ type: 'page', path: '/a' }, { type: 'payment' }]));
    assert.ok(!isAbout(asked, [{ type: 'payment' }, { type: 'page', path: '/a' }]));
  });

  it('have a window in the words of the API', () => {
    assert.equal(toWithin('visit'), 'visit');
    assert.deepEqual(toWithin('1h'), { hours: 1 });
    assert.deepEqual(toWithin('90d'), { days: 90 });
    assert.deepEqual(['0d', '91d', '2161h', '1y', ''].map(toWithin), Array(5).fill(undefined));
  });
});

describe('a rate', () => {
  it('is not 0 when somebody is left', () => {
    const rates = [null, 0, 0.02, 0.05, 13.8].map((rate) => formatRate(rate));
    assert.deepEqual(rates, ['–', '0%', '< 0.1%', '0.1%', '13.8%']);
  });
});

describe('proposals', () => {
  const texts = (material: Parameters<typeof proposeFunnels>[0]) =>
    proposeFunnels(material).map((steps) => steps.map(writeStep).join(' > '));

  it('lead over the goals of the site to the payment', () => {
    const material = { pages: ['/', '/teas'], goals: ['cart', 'signup'], hasPayments: true };
    assert.deepEqual(texts(material), [
      'page,/ > goal,cart > payment',
      'page,/ > goal,signup > payment',
      'page,/ > page,/teas > payment',
    ]);
  });

  it('do without payments and goals', () => {
    const pages = ['/', '/teas'];
    assert.deepEqual(texts({ pages, goals: ['cart'], hasPayments: false }), [
      'page,/ > goal,cart',
      'page,/ > page,/teas',
    ]);
    assert.deepEqual(texts({ pages: [], goals: [], hasPayments: true }), []);
  });
});

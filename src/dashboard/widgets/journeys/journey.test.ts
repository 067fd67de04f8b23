import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_JOURNEY, parseJourney, walkFurther, writeJourney } from './journey.ts';

const parse = (text: string) => parseJourney(new URLSearchParams(text));
const write = (text: string) => writeJourney(parse(text), new URLSearchParams(text)).toString();

describe('a journey in the address', () => {
  it('is what people do first when nothing is said', () => {
    assert.deepEqual(parse('period=7d'), NO_JOURNEY);
    assert.equal(write('period=7d&within=visit'), 'period=7d');
  });

  it('has a beginning, the steps walked from there, and a window, and leaves the period alone', () => {
    assert.deepEqual(parse('start=payment&after=page,/a,b&after=payment,new&within=7d'), {
      from: { type: 'payment', kind: 'any' },
      after: [
        { type: 'page', path: '/a,b' },
        { type: 'payment', kind: 'new' },
      ],
      within: '7d',
    });
    const text =
      'period=custom&from=2026-11-01&to=2026-11-02&start=page%2C%2F&after=goal%2Csignup&within=7d';
    assert.equal(write(text), text);
  });

  it('leaves out what is broken, and what names more than one action', () => {
    const broken = 'start=nothing&after=payment&after=page,&after=goal,signup&within=99999d';
    assert.deepEqual(parse(broken), { ...NO_JOURNEY, after: [{ type: 'goal', name: 'signup' }] });
    assert.equal(parse('&after=page,/a'.repeat(20)).after.length, 8);
  });

  it('takes steps of answers, unless an address cannot hold them', () => {
    const page = { type: 'page', path: '/a' } as const;
    assert.deepEqual(walkFurther([page], [{ type: 'payment', kind: 'new' }]), [
      page,
      { type: 'payment', kind: 'new' },
    ]);
    assert.equal(walkFurther([page], [{ type: 'page', path: `/${'a'.repeat(600)}` }]), undefined);
    assert.equal(walkFurther(Array(6).fill(page), [page, page, page]), undefined);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  formatBucket,
  formatDate,
  formatInstant,
  formatMoment,
  formatSeen,
  formatSpan,
  formatTick,
  formatTime,
  toInstant,
} from './dates.ts';
import { formatIn } from './intl-forms.ts';

before(() => formatIn('en-GB'));
after(() => formatIn());

it('a month has its year in full, so that it reads as no day', () => {
  formatIn('en-US');
  assert.equal(formatTick('2026-08-01', 'month'), 'Aug 2026');
  assert.equal(formatTick('2026-08-01', 'week'), 'Aug 1');
  formatIn('en-GB');
});

const NOW = new Date('2026-11-23T12:00:00Z');

describe('instants', () => {
  it('are days and times of the site’s zone', () => {
    const late = '2026-11-15T23:30:00.000Z';
    assert.equal(formatDate(late, 'UTC', NOW), '15 Nov');
    assert.equal(formatDate(late, 'Europe/Berlin', NOW), '16 Nov');
    assert.equal(formatTime(late, 'Asia/Kolkata'), '05:00');
  });

  it('have their year where it is not this one, there', () => {
    const eve = '2025-12-31T23:30:00.000Z';
    assert.equal(formatDate(eve, 'UTC', NOW), '31 Dec 2025');
    assert.equal(formatDate(eve, 'Europe/Berlin', NOW), '1 Jan');
  });

  it('are times on the zone’s own day, and days before it', () => {
    const moment = '2026-11-22T23:10:09.000Z';
    assert.equal(formatMoment(moment, 'Europe/Berlin', NOW), '00:10:09');
    assert.equal(formatMoment(moment, 'UTC', NOW), '22 Nov');
  });

  it('are today or yesterday with their time, where somebody was last seen', () => {
    const seen = (at: string) => formatSeen(at, 'Europe/Berlin', NOW);
    assert.equal(seen('2026-11-22T23:10:00Z'), 'Today 00:10');
    assert.equal(seen('2026-11-22T22:50:00Z'), 'Yesterday 23:50');
    assert.equal(seen('2026-11-21T22:50:00Z'), '21 Nov');
  });

  it('have two digits and 24 hours in every language', () => {
    for (const language of ['en-US', 'en-GB', 'de', 'es', 'cs', 'ja']) {
      formatIn(language);
      const written = [
        formatTime('2026-11-15T03:04:00Z', 'UTC'),
        formatTick('2026-11-15 03:04:00', 'minute'),
        formatBucket('2026-11-15 03:04:00', 'minute'),
        formatMoment('2026-11-23T03:04:00Z', 'UTC', NOW),
        formatInstant('2026-11-15T03:04:00Z', 'UTC'),
      ];
      for (const text of written) assert.match(text, /\b03:04/, language);
      assert.equal(formatTick('2026-11-15 00:00:00', 'hour'), '00:00', language);
    }
    formatIn('en-GB');
  });

  it('name a day once when a span is within it', () => {
    const span = formatSpan('2026-11-01T03:12:00Z', '2026-11-01T03:19:00Z', 'UTC');
    assert.equal(span, '1 Nov 2026, 03:12–03:19');
  });

  it('come from a wall clock, on both sides of a change of clocks', () => {
    assert.equal(toInstant('2026-11-09', '14:00', 'Asia/Kolkata'), '2026-11-09T08:30:00.000Z');
    assert.equal(toInstant('2026-03-29', '01:30', 'Europe/Berlin'), '2026-03-29T00:30:00.000Z');
    assert.equal(toInstant('2026-03-29', '03:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
    assert.equal(toInstant('2026-10-25', '04:00', 'Europe/Berlin'), '2026-10-25T03:00:00.000Z');
  });
});

it('the two hours of a day that has one of them twice are told apart', () => {
  const of = (offset: string) => formatBucket(`2026-10-25 02:00:00${offset}`, 'hour');
  assert.equal(of('+02:00'), 'Sun, 25 Oct 2026, 02:00 (UTC+02:00)');
  assert.equal(of('-01:00'), 'Sun, 25 Oct 2026, 02:00 (UTC−01:00)');
  assert.equal(of(''), 'Sun, 25 Oct 2026, 02:00');
});

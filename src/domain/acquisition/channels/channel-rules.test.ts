import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ChannelFacts, SOURCE_KINDS } from './channel-facts.ts';
import { CHANNEL_RULES, findChannel, UNASSIGNED } from './channel-rules.ts';

const google = { source: 'Google', kind: 'search' } as const;
const facebook = { source: 'Facebook', kind: 'social' } as const;
const youtube = { source: 'YouTube', kind: 'video' } as const;
const amazon = { source: 'Amazon', kind: 'shopping' } as const;
const chatgpt = { source: 'ChatGPT', kind: 'ai' } as const;
const blog = { source: 'blog.example', kind: '' } as const;

describe('the channel of a visit', () => {
  const cases: readonly (readonly [channel: string, facts: Partial<ChannelFacts>])[] = [
    ['Direct', {}],
    ['Direct', { source: '(direct)', medium: '(none)' }],
    ['Direct', { campaign: 'spring' }],
    ['Cross-network', { ...google, medium: 'cpc', campaign: 'x Cross-network y' }],
    ['Paid Shopping', { ...amazon, medium: 'ppc' }],
    ['Paid Shopping', { ...google, medium: 'cpc', campaign: 'Shop-Winter' }],
    ['Paid Search', { ...google, medium: 'cpc', campaign: 'workshop' }],
    ['Paid Search', { ...google, medium: 'CPC' }],
    ['Paid Search', { ...google, medium: 'cpm' }],
    ['Paid Social', { ...facebook, medium: 'paid_social' }],
    ['Paid Video', { ...youtube, medium: 'cpv' }],
    ['Display', { ...google, medium: 'display' }],
    ['Display', { ...blog, medium: 'banner' }],
    ['Display', { ...blog, medium: 'cpm' }],
    ['Paid Other', { ...blog, medium: 'cpc' }],
    ['Paid Other', { ...chatgpt, medium: 'paid' }],
    ['Paid Other', { ...blog, medium: 'retargeting' }],
    ['Organic Shopping', { ...amazon }],
    ['Organic Shopping', { ...blog, campaign: 'shopping' }],
    ['Organic Social', { ...facebook }],
    ['Organic Social', { ...blog, medium: 'social-media' }],
    ['Organic Video', { ...youtube }],
    ['Organic Video', { ...blog, medium: 'in-video' }],
    ['AI Assistants', { ...chatgpt }],
    ['AI Assistants', { ...chatgpt, medium: 'referral' }],
    ['Organic Search', { ...google }],
    ['Organic Search', { ...blog, medium: 'organic' }],
    ['Referral', { ...blog }],
    ['Referral', { ...blog, medium: 'referral' }],
    ['Referral', { source: 'GitHub', kind: 'other' }],
    ['Email', { source: 'list', medium: 'e-mail' }],
    ['Email', { source: 'Newsletter' }],
    ['Email', { source: 'Gmail', kind: 'email' }],
    ['Affiliates', { source: 'Awin', medium: 'affiliate' }],
    ['Audio', { ...blog, medium: 'audio' }],
    ['Audio', { source: 'Spotify', kind: 'audio' }],
    ['SMS', { source: 'sms', medium: 'text' }],
    ['SMS', { ...blog, medium: 'sms' }],
    ['Mobile Push Notifications', { ...blog, medium: 'web-push' }],
    ['Mobile Push Notifications', { ...blog, medium: 'mobile' }],
    ['Mobile Push Notifications', { source: 'firebase', medium: 'message' }],
    ['Unassigned', { ...blog, medium: 'poster' }],
  ];
  for (const [channel, facts] of cases) {
    it(`is ${channel} for ${JSON.stringify(facts)}`, () => {
      const found = findChannel({ source: '', kind: '', medium: '', campaign: '', ...facts });
      assert.equal(found, channel);
    });
  }

  it('has a case for every rule', () => {
    const tested = new Set(cases.map(([channel]) => channel));
    const rules = [...CHANNEL_RULES.map(({ channel }) => channel), UNASSIGNED];
    assert.deepEqual(
      [...new Set(rules)],
      [...new Set(rules)].filter((name) => tested.has(name)),
    );
  });

  it('asks in the standard’s order, with AI Assistants before Organic Search', () => {
    assert.deepEqual(
      CHANNEL_RULES.slice(0, -1).map(({ channel }) => channel),
      [
        'Direct',
        'Cross-network',
        'Paid Shopping',
        'Paid Search',
        'Paid Social',
        'Paid Video',
        'Display',
        'Paid Other',
        'Organic Shopping',
        'Organic Social',
        'Organic Video',
        'AI Assistants',
        'Organic Search',
        'Referral',
        'Email',
        'Affiliates',
        'Audio',
        'SMS',
        'Mobile Push Notifications',
      ],
    );
  });

  it('is one of the list for whatever people write into their links', () => {
    const channels = new Set([...CHANNEL_RULES.map(({ channel }) => channel), UNASSIGNED]);
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const kind = fc.constantFrom(...SOURCE_KINDS, '' as const);
    fc.assert(
      fc.property(text, kind, text, text, (source, kind, medium, campaign) => {
        assert.ok(channels.has(findChannel({ source, kind, medium, campaign })));
      }),
    );
  });
});

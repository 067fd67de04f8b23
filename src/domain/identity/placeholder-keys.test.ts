import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlaceholderKey } from './placeholder-keys.ts';

describe('a placeholder key', () => {
  for (const key of ['', '  ', 'null', 'NULL', ' undefined ', 'guest', '[object Object]', '0']) {
    it(`is "${key}", whatever its kind`, () => {
      assert.ok(isPlaceholderKey('user', key));
      assert.ok(isPlaceholderKey('customer', key));
      assert.ok(isPlaceholderKey('email', key));
    });
  }
  const templates = [
    ...[
      '{{user_id}}',
      '{{ user.id }}',
      '{{{id}}}',
      '{user_id}',
      '{userId}',
      '{0}',
      '\u0024{userId}',
    ],
    ...['#{user.id}', '{% user %}', '{!Contact.Id}', '<%= user.id %>', '<user_id>', '<USER ID>'],
    ...['[user_id]', '[[data:user_id]]', '%USER_ID%', '%%emailaddr%%', '%(user_id)s', '%s'],
    ...['*|EMAIL|*', '__USER_ID__', '$user_id', ':userId', 'YOUR_USER_ID', 'your-email'],
    ...['user-{{id}}', 'cus_\u0024{id}', '{{id}}@shop.example', '"{{id}}"', 'acct:%ACCOUNT%'],
    ...[
      '%7B%7Buser_id%7D%7D',
      '%257B%257Bid%257D%257D',
      '%24%7BuserId%7D',
      '%25USER_ID%25',
      '%22%22',
    ],
    ...[
      '{}',
      '()',
      '[]',
      '{{}}',
      '<>',
      '***',
      '...',
      '___',
      '??',
      '@',
      ':)',
      'xxx',
      'XXXX-XXXX',
      'TODO',
    ],
    ...[
      'user.id',
      'user.email',
      'customer-id',
      'user->id',
      "user['id']",
      'currentUser.id',
      'current_user',
    ],
    ...['@user_id', '@user.id', '@userId', 'member_id', 'account_id', 'user_uuid', '&&', 'string'],
    ...['"null"', "'undefined'", '\\"null\\"', '“guest”', '""', '`0`'],
  ];
  for (const key of templates) {
    it(`is the template or quoted word ${key}`, () => {
      for (const kind of ['user', 'customer', 'email'] as const) {
        assert.ok(isPlaceholderKey(kind, key));
      }
    });
  }
  for (const key of ['anna', 'anna@', 'test@test.com', 'Guest@Example.com']) {
    it(`is "${key}" as an e-mail address, but not as an id`, () => {
      assert.ok(isPlaceholderKey('email', key));
      assert.ok(!isPlaceholderKey('user', key));
    });
  }
  it('is not a real id or address', () => {
    for (const key of [
      ...['42', '"42"', '{af2504e0-4f89-11d3-9a0c-0305e82c3301}', '{"id":42}', 'acme[eu]', 'a%20b'],
      ...['caf%c3%a9', 'x%ab%cd', '<anna@shop.example>', '$david', '@anna', '100%', 'your-name'],
      ...['a{1', 'user_id_7', '[42]', '__a1__', 'user.7', 'userid7', 'xx7', 'x', 'mx', 'useridris'],
      ...[
        'анна',
        '花子',
        'user.identity',
        '%61nna',
        '@user7',
        '-7',
        '(7)',
        'accountant',
        'foo.bar',
      ],
    ]) {
      assert.ok(!isPlaceholderKey('user', key), key);
    }
    assert.ok(!isPlaceholderKey('email', '"anna"@shop.example'));
    assert.ok(!isPlaceholderKey('customer', 'cus_9'));
    assert.ok(!isPlaceholderKey('email', 'anna@example.com'));
  });
});

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { checkNewPassword, isWeakPassword } from '../../../src/accounts/passwords/password-rule.ts'
import { isSameHash, Passwords } from '../../../src/accounts/passwords/passwords.ts'
import { checkAddress } from '../../../src/platform/resources/field-checks.ts'

const key = Buffer.alloc(32, 7)

async function refusalOf(work: () => unknown): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, 'VALIDATION_ERROR')
    const [detail] = error.details as readonly { path: string; code?: string }[]
    return `${detail!.path} ${detail!.code}`
  }
}

test('a hash is argon2id of the recommended cost, salted, and opens for its password alone', async () => {
  const passwords = new Passwords(key)
  const [one, two] = [await passwords.hash('Zoë’s sieve'), await passwords.hash('Zoë’s sieve')]
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.equal(await passwords.verify(one, 'Zoë’s sieve'), true)
  assert.equal(await passwords.verify(one, 'Zoe\u0308’s sieve'), true, 'another form of one text')
  assert.equal(await passwords.verify(one, 'Zoe’s sieve'), false)
  for (const broken of ['', 'plain', '$2b$10$abc', '$argon2id$v=19$m=19456,t=2,p=1$$'])
    assert.equal(await passwords.verify(broken, ''), false)
})

test('no password to compare with takes a hash all the same', async () => {
  const passwords = new Passwords(key)
  assert.equal(await passwords.verify(null, 'anything at all'), false)
  assert.equal(passwords.stats().runs, 1)
})

test('hashes for one address without an account can be compared, those for two cannot', async () => {
  const passwords = new Passwords(key)
  const stored = await passwords.hashFor('a@example.com', 'quiet harbour lamp')
  assert.equal(await passwords.verify(stored, 'quiet harbour lamp'), true)
  assert.ok(isSameHash(stored, await passwords.hashFor('a@example.com', 'quiet harbour lamp')))
  assert.ok(!isSameHash(stored, await passwords.hashFor('b@example.com', 'quiet harbour lamp')))
})

test('two hashes run at once, sixteen wait, and the rest is refused', async () => {
  const passwords = new Passwords(key)
  const works = Array.from({ length: 40 }, () => passwords.verify(null, 'x'))
  assert.deepEqual(passwords.stats(), { running: 2, waiting: 16, runs: 2 })
  const settled = await Promise.allSettled(works)
  const refused = settled.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as ApiError] : [],
  )
  assert.equal(refused.length, 22)
  assert.ok(refused.every(({ code }) => code === 'RATE_LIMITED'))
  assert.ok('retryAfter' in refused[0]!.details)
  assert.deepEqual(passwords.stats(), { running: 0, waiting: 0, runs: 18 })
})

test('a new password has 10 to 256 characters, and is not easy to guess', async () => {
  const rows: [string, string | null][] = [
    ['short one', 'p length'],
    ['ten chars!', null],
    ['🦊🐻🐼🐨🐯🦁🐮🐷🐸', 'p length'],
    ['🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵', null],
    ['xk'.padEnd(256, 'correct horse '), null],
    ['xk'.padEnd(257, 'correct horse '), 'p length'],
    ['🦊🐻🐼🐨'.repeat(65), 'p length'],
    ['User@Example.com', 'p weak'],
    ['Password123!', 'p weak'],
  ]
  for (const [password, expected] of rows)
    assert.equal(
      await refusalOf(() => checkNewPassword(password, 'p', 'user@example.com')),
      expected,
      password,
    )
})

test('frequent passwords of ten characters and more are recognized, others are not', async () => {
  const weak =
    '1234567890 0987654321 0123456789 12345678910 1111111111 1212121212 123123123123 password123 password1234 passwordpassword p@ssw0rd123 P@$$w0rd2024 Passw0rd!! qwertyuiop qwerty123456 qwertyuiop123 1q2w3e4r5t 1qaz2wsx3edc qazwsxedcrfv asdfghjkl; zxcvbnm,./ abcdefghij abcd123456 aaaaaaaaaa abcabcabcabc iloveyou123 iloveyou2000 iloveyoubaby welcome2024! Administrator administrator1 letmein1234 letmeinnow sunshine2023 football2019 Liverpool1892 manchester1 trustno1trustno1 changeme123 superman123456 michael1987 charlie2010 starwars1977 basketball 123password 1234567890qwerty Summer2024!! q1w2e3r4t5y6 147258369147 0000000000 !@#$%^&*() mypassword1 football12345678'
  for (const password of weak.split(' ')) assert.ok(await isWeakPassword(password), password)
  const fine =
    'quiet harbour lamp|correct horse battery staple|tr0ub4dor&3-extra|gK9#vQ2!mZ7x|michael8273645|eleven sleepy otters|Ü-bahn nach Rudow|пароль-не-частый|3.1415926535 pie'
  for (const password of fine.split('|')) assert.ok(!(await isWeakPassword(password)), password)
})

test('an address is one address, and cannot begin a header of a mail', async () => {
  assert.deepEqual(checkAddress(' Some.Body+tag@Example.COM ', 'email'), {
    email: 'Some.Body+tag@Example.COM',
    emailKey: 'some.body+tag@example.com',
  })
  const bad = [
    'a@b\r\nBcc: c@example.com',
    'a@b\nc',
    'a@b\u2028c',
    'a,b@example.com',
    'a@example.com,c@example.com',
    'A <a@example.com>',
    'a@b@c',
    '@example.com',
    'a@',
    'plain',
    'a b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(255)}`,
    'a\u200b@example.com',
    'a@example.com\0',
    'a\ud800@example.com',
  ]
  for (const text of bad)
    assert.equal(
      await refusalOf(() => checkAddress(text, 'email')),
      'email format',
      JSON.stringify(text),
    )
})

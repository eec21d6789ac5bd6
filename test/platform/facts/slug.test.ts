import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  checkSlug,
  randomSlug,
  slugFromPath,
  slugKey,
  slugKeyOf,
} from '../../../src/platform/facts/slug.ts'
import { anyText } from '../../support/any-text.ts'
import { randomRuns } from '../../support/long.ts'

function accepts(slug: string): boolean {
  return 'slug' in checkSlug(slug)
}

test('ordinary slugs, paths, other scripts and emoji are accepted in their own spelling', () => {
  for (const slug of [
    'a',
    'Sale-2026',
    'docs/v1.2/intro',
    'a_b',
    'a..b',
    '日本',
    'приве́т',
    'col·lecció',
    '👍🏽',
    '🇩🇪',
    '❤\ufe0f',
    '👨\u200d👩\u200d👧',
    '🏳\ufe0f\u200d🌈',
    'team-👩🏽\u200d💻/👁\ufe0f\u200d🗨\ufe0f',
    '⛹🏽\u200d♀\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'x'.repeat(190),
    '😀'.repeat(190),
  ])
    assert.equal((checkSlug(slug) as { slug?: string }).slug, slug.normalize('NFC'), slug)
})

test('characters that are impossible, invisible or deceptive in a path are refused with a message', () => {
  const refused = [
    ['', ' ', 'a b', 'a\tb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u00a0b', 'a\u3000b'],
    ['a?b', 'a#b', 'a%b', 'a\\b', 'a"b', 'a<b', 'a+b', 'a;b', 'a:b', 'a@b', 'a$b', 'a~b', 'a|b'],
    ['_a', '-a', '.a', '/a', 'a/', 'a//b', '.', '..', 'a/.', 'a/..', 'a/./b', 'a/../b', './a'],
    ['a.php', 'A.PHP', 'wp/x.php', 'a.php/b', '.well-known/acme', '.env', '.git/config'],
    ['a\u200bb', 'a\u200db', 'a\u2060b', '\ufeffa', 'a\u00adb', 'a\u034fb', '\u3164', 'a\u2800'],
    ['a\u202eb', 'a\u2066b', 'a\u200fb', 'a\u061cb', 'a／b', 'a．b', 'a？b', 'a＃b', 'a%2fb'],
    ['👨\u200d', '\u200d👨', 'a\u200d👨', '👨\u200da', '❤\u200d❤', '👨\u200d\u200d👩', '1\u200d2'],
    ['🏴\u{e0067}\u{e007f}', '\u{e0067}', '👨\u200d👩\u200d👧\u200d', '😀\ufe0f\ufe0f'],
    ['\ud800', 'a\udc00', '\ue000', '\u0301a', 'a/\u0301b', 'a\ufe0e', '\u0378'],
    ['x'.repeat(191), '😀'.repeat(191), 'e\u0301'.repeat(400)],
  ]
  for (const slug of refused.flat()) {
    const checked = checkSlug(slug)
    assert.ok('problem' in checked, JSON.stringify(slug))
    assert.match(checked.problem, /^The slug .*\.$/)
  }
})

test('reserved words are compared with the folded first segment, by kind of host', () => {
  for (const slug of ['v1', 'V1', 'api/x', 'API/x', 'p/me', 'metrics', 'HealthZ', 'robots.txt'])
    assert.equal(accepts(slug), false, slug)
  for (const slug of ['v2', 'apis', 'x/api', 'press', 'robots', 'robots.txt.html'])
    assert.equal(accepts(slug), true, slug)
  assert.ok('slug' in checkSlug('admin', 'branded'))
  assert.ok('problem' in checkSlug('Favicon.ico', 'branded'))
})

test('every reserved word is refused on the shared host', () => {
  const words =
    'v1 api auth app admin dashboard login signup logout health healthz ready metrics internal share ' +
    'media-public invite verify report-abuse billing mcp rest compat p llms.txt favicon.ico favicon.svg robots.txt sitemap.xml ' +
    'manifest.json manifest.webmanifest apple-app-site-association'
  for (const word of words.split(' '))
    for (const slug of [word, word.toUpperCase(), `${word}/x`])
      assert.equal(accepts(slug), false, slug)
  for (const slug of ['billing/events/spring', 'Billing/Events'])
    assert.deepEqual(checkSlug(slug), {
      problem: 'The slug "billing" is reserved.',
      isReserved: true,
    })
})

test('an emoji sequence has one key, with and without selectors', () => {
  const rainbow = ['🏳\ufe0f\u200d🌈', '🏳\u200d🌈']
  assert.equal(new Set(rainbow.map((spelling) => slugKey(spelling))).size, 1)
  for (const spelling of rainbow) assert.ok(accepts(spelling))
  assert.notEqual(slugKey('👨\u200d👩\u200d👧'), slugKey('👨👩👧'))
})

test('a slash at the end of a path is ignored', () => {
  for (const [path, key] of [
    ['/hello/', 'hello'],
    ['/Docs/Intro/', 'docs/intro'],
    ['/%F0%9F%98%80/', '😀'],
  ])
    assert.equal((slugFromPath(path!) as { key: string }).key, key, path)
  for (const path of ['/', '//', '/hello//', '///', '/%2f', '/hello%2F/'])
    assert.ok([null, 'malformed'].includes(slugFromPath(path) as never), path)
})

test('every spelling of a letter has one key, and folding twice changes nothing', () => {
  const same = [
    ['Docs', 'docs', 'DOCS'],
    ['straße', 'STRASSE', 'strasse', 'STRAẞE'],
    ['\u212a', 'K', 'k'],
    ['\u212b', 'Å', 'å', 'A\u030a', 'a\u030a'],
    ['İ', 'I\u0307', 'i\u0307'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['café', 'CAFE\u0301', 'cafe\u0301'],
    ['❤', '❤\ufe0f'],
  ]
  for (const spellings of same)
    assert.equal(new Set(spellings.map((spelling) => slugKey(spelling))).size, 1, spellings[0])
  for (const [one, other] of [
    ['ı', 'i'],
    ['İ', 'i'],
    ['é', 'e'],
    ['ａ', 'a'],
    ['а', 'a'],
  ])
    assert.notEqual(slugKey(one!), slugKey(other!))
})

test('the fold is idempotent and independent of case and normal form for every character', () => {
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    const char = String.fromCodePoint(codePoint)
    // What is no character has no other case or form.
    if (/[\p{Cs}\p{Cn}\p{Co}]/u.test(char)) continue
    const key = slugKey(char)
    const others = [key, char.toLowerCase(), char.normalize('NFD'), char.normalize('NFC')]
    if (char !== 'ı') others.push(char.toUpperCase())
    for (const other of others)
      if (other !== char && slugKey(other) !== key)
        assert.fail(`U+${codePoint.toString(16)} and ${other}`)
  }
})

const graphemes = anyText({ maxLength: 12 })

test('folding random text is idempotent and commutes with normalization', () => {
  fc.assert(
    fc.property(graphemes, (text) => {
      const key = slugKey(text)
      assert.equal(slugKey(key), key)
      assert.equal(slugKey(text.normalize('NFD')), key)
      assert.equal(slugKey(text.normalize('NFC')), key)
      if (!text.includes('ı')) assert.equal(slugKey(text.toUpperCase()), key)
    }),
    { numRuns: 5_000 },
  )
})

const slugLike = fc
  .array(fc.constantFrom(...Array.from('aZ09_-./éßИ日😀❤\ufe0f\u0301İK\u200b\u202e %?#\\\0')), {
    maxLength: 20,
  })
  .map((chars) => chars.join(''))

test('an accepted slug is found again through its own encoded path, in any normal form', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.oneof(slugLike, graphemes), (text) => {
      const checked = checkSlug(text)
      if ('problem' in checked) return
      accepted++
      assert.equal(checked.slug, checked.slug.normalize('NFC'))
      assert.equal(checked.key, slugKey(checked.slug))
      for (const form of [checked.slug, checked.slug.normalize('NFD'), checked.key]) {
        const found = slugFromPath(`/${form.split('/').map(encodeURIComponent).join('/')}`)
        assert.ok(found !== null && found !== 'malformed', form)
        assert.equal(found.key, checked.key)
      }
    }),
    { numRuns: randomRuns(20_000) },
  )
  assert.ok(accepted > randomRuns(500), `only ${accepted} accepted slugs were tried`)
})

test('no request path makes slugFromPath throw or return a slug that checkSlug refuses', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath(), slugLike), (text) => {
      const found = slugFromPath(`/${text}`)
      if (found !== null && found !== 'malformed') {
        assert.ok('slug' in checkSlug(found.slug, 'branded') || /^[^/]+\.[a-z]+/.test(found.key))
        assert.doesNotMatch(found.slug, /[\s\\?#%]|(^|\/)\.{0,2}(\/|$)/)
      }
    }),
    { numRuns: randomRuns(20_000) },
  )
})

test('hostile paths are malformed or have no slug', () => {
  for (const path of ['/a%00b', '/a%2Fb', '/a%2fb', '/a%5cb', '/\\evil', '/%E0%A4%A', '/%', '/%zz'])
    assert.equal(slugFromPath(path), 'malformed', path)
  for (const path of ['/', '//evil.com', '/%2e%2e/%2e%2e/etc/passwd', '/..', '/x;y', '/a//b'])
    assert.equal(slugFromPath(path), null, path)
  assert.equal(slugFromPath(`/${'a'.repeat(65_536)}`), null)
})

test('a path of unencoded UTF-8 is read as node:http delivers it', () => {
  const path = `/${Buffer.from('日本é').toString('latin1')}`
  assert.deepEqual(slugFromPath(path), { slug: '日本é', key: '日本é' })
})

test('random slugs have seven unambiguous characters, all equally likely', () => {
  const counts = new Map<string, number>()
  const draws = 40_000
  const seen = new Set<string>()
  for (let i = 0; i < draws; i++) {
    const slug = randomSlug()
    assert.match(slug, /^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/)
    seen.add(slug)
    for (const letter of slug) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  assert.equal(counts.size, 31)
  assert.ok(seen.size > draws - 10)
  const expected = (draws * 7) / 31
  let chiSquare = 0
  for (const count of counts.values()) chiSquare += (count - expected) ** 2 / expected
  // 30 degrees of freedom: 1 in 10^9 fair runs is above 100; taking bytes modulo 31 gives > 2,000.
  assert.ok(chiSquare < 100, `chi-square ${chiSquare}`)
})

test('on a host that tells capitals from small letters, a slug is matched as it is written', () => {
  const sensitive = slugFromPath('/Sale/%C3%89te', true) as { slug: string; key: string }
  assert.deepEqual(sensitive, { slug: 'Sale/Éte', key: 'Sale/Éte' })
  assert.equal(slugKeyOf('Sale/E\u0301te', true), 'Sale/Éte')
  assert.equal(slugKeyOf('❤️', true), slugKeyOf('❤', true))
  assert.equal(slugKeyOf('Sale', false), 'sale')
  assert.deepEqual(checkSlug('V1', 'branded', true), { slug: 'V1', key: 'V1' })
  assert.ok('isReserved' in checkSlug('Robots.txt', 'branded', true))
  assert.ok('problem' in checkSlug('x.PHP', 'branded', true))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { languageLabel, referrerLabel } from '../../../src/platform/facts/visit-headers.ts'
import { anyText } from '../../support/any-text.ts'

const OWN = ['sho.rt', 'links.example.com:3000', 'www.brand.example']

test('a referrer is labeled by its site', () => {
  const table: [referrer: string, label: string][] = [
    ['', 'direct'],
    ['   ', 'direct'],
    ['about:blank', 'direct'],
    ['about:client', 'direct'],
    ['https://www.example.com/some/page?q=1#x', 'example.com'],
    ['http://EXAMPLE.com:8080/', 'example.com'],
    ['https://example.com.', 'example.com'],
    ['https://news.ycombinator.com/', 'news.ycombinator.com'],
    ['https://www.com/', 'www.com'],
    ['https://t.co/abc', 'x.com'],
    ['https://twitter.com/', 'x.com'],
    ['https://l.facebook.com/l.php?u=x', 'facebook.com'],
    ['https://lm.facebook.com/', 'facebook.com'],
    ['https://m.facebook.com/', 'facebook.com'],
    ['https://www.facebook.com/', 'facebook.com'],
    ['https://l.instagram.com/', 'instagram.com'],
    ['https://lnkd.in/x', 'linkedin.com'],
    ['android-app://com.google.android.gm/', 'Gmail'],
    ['android-app://com.Slack', 'Slack'],
    ['android-app://com.example.unheard_of/x', 'com.example.unheard_of'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://[2001:db8::1]/', '[2001:db8::1]'],
    ['http://203.0.113.7/x', '203.0.113.7'],
    ['https://user:pass@example.com/', 'example.com'],
    // Own pages, on any port.
    ['https://sho.rt/abc', 'direct'],
    ['https://www.sho.rt/abc', 'direct'],
    ['http://SHO.RT:8080/abc', 'direct'],
    ['http://links.example.com/', 'direct'],
    ['https://brand.example/', 'direct'],
    ['https://not-sho.rt/', 'not-sho.rt'],
    ['https://x.sho.rt/', 'x.sho.rt'],
    // Invalid.
    ['example.com', 'unknown'],
    ['https://', 'unknown'],
    ['https://exa mple.com/', 'unknown'],
    ['file:///etc/passwd', 'unknown'],
    ['javascript:alert(1)', 'unknown'],
    ['data:text/html,x', 'unknown'],
    ['android-app://', 'unknown'],
    ['android-app://com.<script>', 'unknown'],
    ['__proto__', 'unknown'],
  ]
  for (const [referrer, label] of table) assert.equal(referrerLabel(referrer, OWN), label, referrer)
})

test('any referrer gives a short label of plain characters', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText({ maxLength: 3_000 }),
        fc.webUrl(),
        fc.domain().map((d) => `https://${d}`),
      ),
      (referrer) => {
        const label = referrerLabel(referrer, OWN)
        assert.ok(label.length > 0 && label.length <= 253)
        assert.match(label, /^[\x21-\x7e]+( [A-Za-z]+)?$/)
      },
    ),
    { numRuns: 2_000 },
  )
  assert.equal(referrerLabel(`https://${'a'.repeat(60)}.${'b.'.repeat(500)}com/`, OWN), 'unknown')
})

test('the language is the primary tag of the entry with the highest weight', () => {
  const table: [header: string, label: string][] = [
    ['', 'unknown'],
    ['*', 'unknown'],
    ['en', 'en'],
    ['en-US', 'en'],
    ['EN-us', 'en'],
    ['en_GB', 'en'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['en;q=0.8, de;q=0.8', 'en'],
    ['en;q=0,fr;q=0.1', 'fr'],
    ['en;q=0', 'unknown'],
    ['*;q=0.5, ja', 'ja'],
    ['zh-Hans-CN', 'zh'],
    ['fil-PH', 'fil'],
    ['iw-IL', 'he'],
    ['en ; q=1.000 ', 'en'],
    ['en;q=2', 'unknown'],
    ['en;q=', 'unknown'],
    ['english', 'unknown'],
    ['e', 'unknown'],
    ['1a', 'unknown'],
    ['<script>', 'unknown'],
    ['__proto__', 'unknown'],
    [`${'x'.repeat(128)},en`, 'unknown'],
  ]
  for (const [header, label] of table) assert.equal(languageLabel(header), label, header)
})

test('any Accept-Language gives a tag of two or three letters, or unknown', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 400 }), (header) => {
      assert.match(languageLabel(header), /^(?:[a-z]{2,3}|unknown)$/)
    }),
    { numRuns: 1_000 },
  )
})

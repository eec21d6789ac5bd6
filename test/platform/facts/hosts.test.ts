import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMixedScript } from '../../../src/platform/facts/hosts.ts'

test('hosts that mix alphabets or imitate Latin letters are found, in punycode and Unicode', () => {
  for (const host of [
    ...['xn--pple-43d.com', 'аpple.com', 'www.gооgle.com', 'раура1.com', 'xn--80ak6aa92e.com'],
    ...['αβγa.example', 'login.раураӏ.com'],
  ])
    assert.equal(isMixedScript(host), true, host)
  for (const host of [
    ...['example.com', 'münchen.de', 'xn--mnchen-3ya.de', 'пример.рф', 'δοκιμή.gr', '例え.jp'],
    ...['日本語ab.jp', '127.0.0.1', '[::1]', 'xn--invalid-ö', '', 'straße.de', 'a-b_c.example'],
  ])
    assert.equal(isMixedScript(host), false, host)
})

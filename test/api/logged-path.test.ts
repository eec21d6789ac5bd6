import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { loggedPath } from '../../src/platform/http/request.ts'

const TOKEN = 'q3XkX1p7v0b8tq5Jm9c2Zr4Wy6Ld8Hf1Gs3Na5Ke7Ub'

test('a log line shows no token that a path holds, and every word and id', () => {
  const id = newId('lnk', Date.now())
  const shown = [
    ['/v1/auth/request-password-reset', '/v1/auth/request-password-reset'],
    [`/v1/links/${id}?x=1`, `/v1/links/${id}`],
    ['/v1/webhooks/deliveries/del_0199a1b2c3d4e5f60718293a4b5c6d7e', undefined],
    [`/v1/invitations/${TOKEN}/accept`, '/v1/invitations/[redacted]/accept'],
    [`/v1/invitations/received/${TOKEN}`, '/v1/invitations/received/[redacted]'],
    [`/v1/nowhere/${TOKEN}/${TOKEN}`, '/v1/nowhere/[redacted]/[redacted]'],
    [
      `/v1/invitations/${encodeURIComponent(`${TOKEN}=`)}/accept`,
      '/v1/invitations/[redacted]/accept',
    ],
    [`/v1/public/dashboards/${TOKEN.slice(0, 22)}`, '/v1/public/dashboards/[redacted]'],
    // A token may look like a word.
    [`/v1/public/dashboards/${'a'.repeat(22)}`, '/v1/public/dashboards/[redacted]'],
    [`/share/${'a'.repeat(22)}?x=1`, '/share/[redacted]'],
    [`/v1/sp_${TOKEN.slice(0, 40)}`, '/v1/[redacted]'],
    [`/v1/auth/verify-email?token=${TOKEN}`, '/v1/auth/verify-email'],
    ['', ''],
  ] as const
  for (const [url, expected] of shown) assert.equal(loggedPath(url), expected ?? url)
})

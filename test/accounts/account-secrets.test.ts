import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { openLog } from '../../src/platform/core/log.ts'
import { openWorld } from '../support/world.ts'

test('no secret of an account is in a log line, a log row, a list or an error', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('trace', { write: (line: string) => void lines.push(line) }),
  })
  const answers: string[] = []
  const secrets = new Map<string, string>()
  const keep = (name: string, value: string) => void secrets.set(name, value)
  /** Answers that show a secret by design are not kept. */
  const ask = async (asked: Promise<{ status: number; body: unknown }>) => {
    answers.push(JSON.stringify((await asked).body) ?? '')
  }

  const user = await world.user()
  const { browser, email } = user
  keep('password', user.password)
  for (const [name, value] of browser.cookies) if (value.length > 20) keep(`cookie ${name}`, value)
  const made = (await user.post('/api-keys', { name: 'canary' })).body.data
  keep('key', made.key)
  const rotated = (await user.post(`/api-keys/${made.id}/rotate`)).body.data
  keep('rotated key', rotated.key)
  const setUp = await user.post('/auth/two-factor/enable', { password: user.password })
  keep('totp secret', setUp.body.data.secret)
  for (const code of setUp.body.data.backupCodes) keep(`backup code ${code}`, code)
  const totp = new TOTP({ secret: setUp.body.data.secret })
  const code = totp.generate({ timestamp: world.clock.now })
  await ask(user.post('/auth/two-factor/verify', { code }))

  await ask(user.post('/auth/request-password-reset', { email }))
  const { token: reset } = await world.outbox.next(email)
  keep('reset token', reset)
  await ask(user.get(`/auth/reset-password?token=${reset}`))
  await ask(user.post('/auth/reset-password', { token: reset, password: 'short' }))
  const guest = await world.user()
  keep('guest password', guest.password)
  await ask(user.post('/invitations', { email: guest.email, role: 'viewer' }))
  const { token: invitation } = await world.outbox.next(guest.email)
  keep('invitation token', invitation)
  await ask(guest.get(`/invitations/received/${invitation}`))
  await ask(guest.send('PUT', `/invitations/${invitation}/accept`))
  await ask(guest.get(`/nowhere/${invitation}`))
  await ask(guest.post(`/invitations/${invitation}/accept`))
  await ask(guest.post(`/invitations/${invitation}/accept`))
  await ask(user.post('/auth/change-email', { newEmail: 'x', password: user.password }))
  await ask(user.post('/auth/sign-in/email', { email, password: ['canary', user.password] }))
  await ask(user.post('/auth/sign-in/email', { email, password: 'a wrong canary' }))
  keep('wrong password', 'a wrong canary')
  await ask(user.get(`/links?key=${made.key}`))
  await ask(user.get('/links', { authorization: `Bearer ${made.key}` }))
  await ask(user.get('/links', { authorization: `Basic ${made.key}` }))
  for (const path of [
    '/api-keys',
    '/invitations',
    '/audit-log?limit=100',
    '/security-log?limit=100',
  ])
    await ask(user.get(path))
  for (const path of ['/auth/sessions', '/auth/session', '/auth/accounts', '/auth/two-factor'])
    await ask(user.get(path))

  const rows = await world.sql<{ row: string }[]>`
    select to_jsonb(a)::text as row from audit_log a
    union all select to_jsonb(s)::text from security_log s
    union all select to_jsonb(e)::text from events e`
  const places = {
    'the log': lines.join('\n'),
    'an answer': answers.join('\n'),
    'a row': rows.map(({ row }) => row).join('\n'),
  }
  assert.ok(lines.length > 30 && rows.length > 10 && secrets.size > 15)
  for (const [place, text] of Object.entries(places))
    for (const [name, secret] of secrets) {
      const found = text.includes(secret) || text.includes(encodeURIComponent(secret))
      assert.ok(!found, `${name} in ${place}`)
    }
})

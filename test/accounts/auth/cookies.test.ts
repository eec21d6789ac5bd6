import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { openProvider } from '../../authorization/account-requests.ts'
import { Browser, must, type Answer } from '../../support/calls.ts'
import { openWorld } from '../../support/world.ts'

const SECONDS = { minutes: 60, days: 86_400 }
const PASSWORD = 'quiet harbour lamp'

test('every cookie is in docs/accounts.md, with what browsers are told about it', async (t) => {
  const provider = await openProvider()
  t.after(() => provider.close())
  const world = await openWorld(t, { config: provider.config })
  const found = new Map<string, string>()
  const asked = async (status: number, asking: Promise<Answer>) => {
    const answer = await must(status, asking)
    for (const line of answer.headers.getSetCookie()) {
      const [, name, attributes] = /^([^=]+)=[^;]*; (.*)$/.exec(line)!
      if (!attributes!.endsWith('Max-Age=0')) found.set(name!, attributes!)
    }
    return answer
  }

  const email = 'owner@example.com'
  const { calls } = new Browser(world.origin)
  await asked(201, calls.post('/auth/sign-up/email', { name: 'Owner', email, password: PASSWORD }))
  const { token } = await world.outbox.next(email)
  await asked(200, calls.post('/auth/verify-email', { token }))
  await asked(200, calls.post('/auth/passkeys/register/options'))
  const { body } = await asked(200, calls.post('/auth/two-factor/enable', { password: PASSWORD }))
  const code = new TOTP({ secret: body.data.secret }).generate({ timestamp: world.clock.now })
  await asked(200, calls.post('/auth/two-factor/verify', { code }))
  const other = new Browser(world.origin).calls
  await asked(200, other.post('/auth/sign-in/email', { email, password: PASSWORD }))
  await asked(200, other.post('/auth/passkeys/sign-in/options'))
  await asked(302, other.get('/auth/sign-in/oidc'))

  const text = readFileSync(join(import.meta.dirname, '../../../docs/accounts.md'), 'utf8')
  const rows = text.matchAll(/^\| `(signpost_\w+)` \|.*\| (\d+) (minutes|days) \|$/gm)
  const documented = Array.from(rows, ([, name, count, unit]) => {
    const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
    return [name!, `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`] as const
  })
  assert.deepEqual(
    Object.fromEntries([...found].toSorted()),
    Object.fromEntries(documented.toSorted()),
  )
})

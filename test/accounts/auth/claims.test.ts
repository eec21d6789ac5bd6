import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OAuth2Server } from 'oauth2-mock-server'
import { Browser, must } from '../../support/calls.ts'
import { openWorld } from '../../support/world.ts'

const SQUATTERS = 'a squatter was here'

test('a user who claims an address keeps it', { concurrency: false }, async (t) => {
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  t.after(() => issuer.stop())
  let email = ''
  issuer.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, { sub: email, email, email_verified: true, name: 'Owner' })
  })
  const world = await openWorld(t, {
    config: {
      requireEmailVerification: false,
      oidcIssuer: issuer.issuer.url!,
      oidcClientId: 'signpost',
      oidcClientSecret: 'a client secret',
    },
  })

  const claims: [by: string, claim: () => Promise<unknown>][] = [
    ['by the command line', () => world.app.bootstrap.create({ email })],
    [
      'by a provider',
      async () => {
        const owner = new Browser(world.origin)
        const start = await must(302, owner.calls.get('/auth/sign-in/oidc'))
        const answer = await fetch(start.headers.get('location')!, { redirect: 'manual' })
        const callback = new URL(answer.headers.get('location')!)
        await must(302, owner.calls.get(`/auth/callback/oidc${callback.search}`))
      },
    ],
    [
      'by the link of a sign-up',
      async () => {
        const owner = new Browser(world.origin)
        const body = { name: 'Owner', email, password: 'quiet harbour lamp' }
        await must(201, owner.calls.post('/auth/sign-up/email', body))
        const { token } = await world.outbox.next(email)
        await must(200, owner.calls.post('/auth/verify-email', { token }))
      },
    ],
  ]
  for (const [by, claim] of claims)
    await t.test(`${by}, and a change of address that was begun before moves nothing`, async () => {
      email = `owner-${claims.findIndex(([each]) => each === by)}@example.com`
      const newEmail = `squatter-${email}`
      const squatter = new Browser(world.origin)
      const account = { email, password: SQUATTERS }
      await must(201, squatter.calls.post('/auth/sign-up/email', { ...account, name: 'Squatter' }))
      await world.outbox.next(email)
      await must(200, squatter.calls.post('/auth/sign-in/email', account))
      const change = { newEmail, password: SQUATTERS }
      await must(200, squatter.calls.post('/auth/change-email', change))
      const { token } = await world.outbox.next(newEmail)

      await claim()
      for (const jar of [squatter, new Browser(world.origin)])
        for (const password of [undefined, SQUATTERS])
          await must(410, jar.calls.post('/auth/change-email/confirm', { token, password }))
      const rows = await world.sql<{ email: string; isVerified: boolean }[]>`
        select email, email_verified_at is not null as is_verified from users
        where email in (${email}, ${newEmail})`
      assert.deepEqual([...rows], [{ email, isVerified: true }])
      const left = await world.sql`
        select user_id from email_changes union all select user_id from pending_sign_ups`
      assert.deepEqual([...left], [])
    })
})

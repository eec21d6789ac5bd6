import assert from 'node:assert/strict'
import { OAuth2Server } from 'oauth2-mock-server'
import { TOTP } from 'otpauth'
import { Passwords } from '../../src/accounts/passwords/passwords.ts'
import { Authenticator } from '../support/authenticator.ts'
import { Browser, must } from '../support/calls.ts'
import type { World } from '../support/world.ts'
import type { Asked } from './requests.ts'
import { addActor, freshEmail, type Actor, type Stage } from '../support/stage.ts'

export const PASSWORD = 'quiet harbour lamp'
export const OTHER_PASSWORD = 'seven grey herons'
const STEP_MS = 30_000
/** Of {@link PASSWORD}; hashing one for each cell would take a minute. */
export const passwordHash = new Passwords(Buffer.alloc(32)).hash(PASSWORD)
let serial = 0

export type Provider = Awaited<ReturnType<typeof openProvider>>

/** An identity provider on loopback, and the settings that name it. */
export async function openProvider() {
  const provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, '127.0.0.1')
  provider.service.on('beforeTokenSigning', (token: { payload: object }) => {
    const claims = { sub: `subject-${++serial}`, email: freshEmail(), email_verified: true }
    Object.assign(token.payload, claims, { name: 'Owner' })
  })
  const config = {
    oidcIssuer: provider.issuer.url!,
    oidcClientId: 'signpost',
    oidcClientSecret: 'a client secret',
  }
  return { config, close: () => provider.stop() }
}

async function tokenFor({ world }: Stage, email: string): Promise<string> {
  return (await world.outbox.next(email)).token
}

export async function signUp(at: Stage): Promise<string> {
  const email = freshEmail()
  const { calls } = new Browser(at.world.origin)
  const body = { name: 'Owner', email, password: PASSWORD }
  await must(201, calls.post('/auth/sign-up/email', body))
  return tokenFor(at, email)
}

export async function resetToken(at: Stage): Promise<string> {
  const { email } = await addActor(at.world)
  const { calls } = new Browser(at.world.origin)
  await must(200, calls.post('/auth/request-password-reset', { email }))
  return tokenFor(at, email)
}

export async function changeToken(at: Stage): Promise<string> {
  const { session } = await addActor(at.world, await passwordHash)
  const newEmail = freshEmail()
  await must(200, session.post('/auth/change-email', { newEmail, password: PASSWORD }))
  return tokenFor(at, newEmail)
}

export async function invite(at: Stage, { email }: Actor): Promise<string> {
  await must(201, at.cast.owner.session.post('/invitations', { email, role: 'viewer' }))
  return tokenFor(at, email)
}

/** Turns two-factor sign-in on, and returns a code that is valid now. */
export async function withTwoFactor(world: World, { session }: Actor): Promise<string> {
  const { data } = (await must(200, session.post('/auth/two-factor/enable', {}))).body
  const codeNow = () => new TOTP({ secret: data.secret }).generate({ timestamp: world.clock.now })
  await must(200, session.post('/auth/two-factor/verify', { code: codeNow() }))
  // A code is accepted once.
  world.clock.advance(STEP_MS)
  return codeNow()
}

export async function waitingForCode({ world }: Stage): Promise<Asked> {
  const user = await addActor(world)
  const code = await withTwoFactor(world, user)
  await world.sql`
    update users set password_hash = ${await passwordHash} where id = ${user.userId}`
  const browser = new Browser(world.origin)
  const body = { email: user.email, password: PASSWORD }
  await must(200, browser.calls.post('/auth/sign-in/email', body))
  return { body: { code }, cookie: browser.cookie }
}

export async function newPasskey(
  world: World,
  { session }: Actor,
  key = new Authenticator(world.origin),
) {
  const options = await must(200, session.post('/auth/passkeys/register/options'))
  const jar = new Browser(world.origin)
  jar.keep(options.headers)
  const response = key.register(options.body.data)
  return { body: { name: 'Phone', response }, cookie: jar.cookie }
}

export async function signInWithPasskey({ world }: Stage): Promise<Asked> {
  const user = await addActor(world)
  const key = new Authenticator(world.origin)
  const { body, cookie } = await newPasskey(world, user, key)
  const headers = { cookie: `${user.session.cookie}; ${cookie}` }
  await must(201, user.session.post('/auth/passkeys/register/verify', body, headers))
  const browser = new Browser(world.origin)
  const options = await must(200, browser.calls.post('/auth/passkeys/sign-in/options'))
  return { body: { response: key.signIn(options.body.data) }, cookie: browser.cookie }
}

export async function backFromProvider({ world }: Stage): Promise<Asked> {
  const browser = new Browser(world.origin)
  const start = await must(302, browser.calls.get('/auth/sign-in/oidc'))
  const answer = await fetch(start.headers.get('location')!, { redirect: 'manual' })
  const callback = new URL(answer.headers.get('location')!)
  assert.equal(callback.origin, world.origin)
  return {
    params: { provider: 'oidc' },
    query: Object.fromEntries(callback.searchParams),
    cookie: browser.cookie,
  }
}

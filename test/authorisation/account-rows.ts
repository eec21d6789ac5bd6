import assert from 'node:assert/strict'
import { OAuth2Server } from 'oauth2-mock-server'
import { TOTP } from 'otpauth'
import { Passwords } from '../../src/services/auth/passwords.ts'
import { Authenticator } from '../services/auth/authenticator.ts'
import { Browser, must } from '../support/calls.ts'
import type { World } from '../support/world.ts'
import type { Asked, Row } from './rows.ts'
import { addMember, addPerson, freshEmail, type Actor, type Stage } from './stage.ts'

export type AccountRow = Pick<Row, 'ask'> & {
  /** When it is not the one of the table. */
  status?: number
  /** What another person with a session gets, where the request names what is somebody's. */
  forAnother?: 403 | 404
}

const PASSWORD = 'quiet harbour lamp'
const OTHER_PASSWORD = 'seven grey herons'
const STEP_MS = 30_000
/** Of {@link PASSWORD}; hashing one for each cell would take a minute. */
const passwordHash = new Passwords(Buffer.alloc(32)).hash(PASSWORD)
let serial = 0

const nothing = () => ({})

export const ACCOUNT_ROWS: Record<string, AccountRow> = {
  'POST /auth/sign-up/email': {
    ask: () => ({ body: { name: 'Owner', email: freshEmail(), password: PASSWORD } }),
  },
  'GET /auth/verify-email': { ask: async (at) => ({ query: { token: await signUp(at) } }) },
  'POST /auth/verify-email': {
    ask: async (at) => ({ body: { token: await signUp(at), password: PASSWORD } }),
  },
  'POST /auth/send-verification-email': { ask: () => ({ body: { email: freshEmail() } }) },
  'POST /auth/sign-in/email': {
    ask: async ({ world }) => {
      const { email } = await addPerson(world, await passwordHash)
      return { body: { email, password: PASSWORD } }
    },
  },
  'POST /auth/sign-out': { ask: nothing },
  'GET /auth/session': { ask: nothing },
  'GET /auth/sessions': { ask: nothing },
  'DELETE /auth/sessions/:id': {
    ask: async ({ world }, { userId }) => {
      await world.session({ userId, workspaceId: null })
      const [row] = await world.sql<{ id: string }[]>`
        select id from sessions where user_id = ${userId} order by id desc limit 1`
      return { params: { id: row!.id } }
    },
    forAnother: 404,
  },
  'DELETE /auth/sessions': {
    ask: async ({ world }, { userId }) => {
      await world.session({ userId, workspaceId: null })
      return {}
    },
  },
  'GET /auth/ok': { ask: nothing },
  'POST /auth/request-password-reset': {
    ask: async ({ world }) => ({ body: { email: (await addPerson(world)).email } }),
  },
  'GET /auth/reset-password': { ask: async (at) => ({ query: { token: await resetToken(at) } }) },
  'POST /auth/reset-password': {
    ask: async (at) => ({ body: { token: await resetToken(at), password: OTHER_PASSWORD } }),
  },
  'POST /auth/change-password': { ask: () => ({ body: { newPassword: OTHER_PASSWORD } }) },
  'PATCH /auth/user': { ask: () => ({ body: { name: 'New' } }) },
  'GET /auth/user/export': { ask: nothing },
  'DELETE /auth/user': { ask: () => ({ body: { workspaces: 'delete' } }) },
  'POST /auth/change-email': { ask: () => ({ body: { newEmail: freshEmail() } }) },
  'GET /auth/change-email': { ask: async (at) => ({ query: { token: await changeToken(at) } }) },
  'POST /auth/change-email/confirm': {
    ask: async (at) => ({ body: { token: await changeToken(at), password: PASSWORD } }),
  },

  'GET /auth/two-factor': { ask: nothing },
  'POST /auth/two-factor/enable': { ask: () => ({ body: {} }) },
  'GET /auth/two-factor/verify': { ask: nothing },
  'POST /auth/two-factor/verify': { ask: waitingForCode },
  'POST /auth/two-factor/disable': {
    ask: async ({ world }, caller) => ({ body: { code: await withTwoFactor(world, caller) } }),
  },

  'POST /auth/passkeys/register/options': { ask: nothing },
  'POST /auth/passkeys/register/verify': {
    ask: async ({ world }, caller) => ({ ...(await newPasskey(world, caller)) }),
  },
  'POST /auth/passkeys/sign-in/options': { ask: nothing },
  'POST /auth/passkeys/sign-in/verify': { ask: signInWithPasskey },
  'GET /auth/passkeys': { ask: nothing },
  'PATCH /auth/passkeys/:id': {
    ask: async (at, caller) => ({ ...(await passkey(at, caller)), body: { name: 'New' } }),
    forAnother: 404,
  },
  'DELETE /auth/passkeys/:id': { ask: passkey, forAnother: 404 },

  'GET /auth/providers': { ask: nothing },
  'GET /auth/sign-in/:provider': { ask: () => ({ params: { provider: 'oidc' } }), status: 302 },
  'GET /auth/callback/:provider': { ask: backFromProvider, status: 302 },
  'POST /auth/link/:provider': { ask: () => ({ params: { provider: 'oidc' } }) },
  'GET /auth/accounts': { ask: nothing },
  'DELETE /auth/accounts/:id': { ask: linkedAccount, forAnother: 404 },

  'GET /workspaces': { ask: nothing },
  'POST /workspaces': { ask: () => ({ body: { name: 'Second' } }) },
  'POST /workspaces/:id/activate': {
    ask: async (at, { userId }) => {
      await addMember(at, userId, 'viewer')
      return { params: { id: at.workspaceId } }
    },
    forAnother: 403,
  },
  'GET /invitations/received/:token': {
    ask: async (at, caller) => ({ params: { token: await invite(at, caller) } }),
    forAnother: 403,
  },
  'GET /auth/invitation': {
    ask: async (at, caller) => ({ query: { token: await invite(at, caller) } }),
  },
  'POST /auth/invitation': {
    ask: async (at, caller) => ({ body: { token: await invite(at, caller), answer: 'accept' } }),
    forAnother: 403,
  },
  ...Object.fromEntries(
    ['accept', 'reject'].map((verb): [string, AccountRow] => [
      `POST /invitations/:token/${verb}`,
      {
        ask: async (at, caller) => ({ params: { token: await invite(at, caller) } }),
        forAnother: 403,
      },
    ]),
  ),
}

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

async function signUp(at: Stage): Promise<string> {
  const email = freshEmail()
  const { calls } = new Browser(at.world.origin)
  const body = { name: 'Owner', email, password: PASSWORD }
  await must(201, calls.post('/auth/sign-up/email', body))
  return tokenFor(at, email)
}

async function resetToken(at: Stage): Promise<string> {
  const { email } = await addPerson(at.world)
  const { calls } = new Browser(at.world.origin)
  await must(200, calls.post('/auth/request-password-reset', { email }))
  return tokenFor(at, email)
}

async function changeToken(at: Stage): Promise<string> {
  const { session } = await addPerson(at.world, await passwordHash)
  const newEmail = freshEmail()
  await must(200, session.post('/auth/change-email', { newEmail, password: PASSWORD }))
  return tokenFor(at, newEmail)
}

async function invite(at: Stage, { email }: Actor): Promise<string> {
  await must(201, at.cast.owner.session.post('/invitations', { email, role: 'viewer' }))
  return tokenFor(at, email)
}

/** Turns it on, and gives a code that is good now. */
async function withTwoFactor(world: World, { session }: Actor): Promise<string> {
  const { data } = (await must(200, session.post('/auth/two-factor/enable', {}))).body
  const codeNow = () => new TOTP({ secret: data.secret }).generate({ timestamp: world.clock.now })
  await must(200, session.post('/auth/two-factor/verify', { code: codeNow() }))
  // A step counts once.
  world.clock.advance(STEP_MS)
  return codeNow()
}

async function waitingForCode({ world }: Stage): Promise<Asked> {
  const somebody = await addPerson(world)
  const code = await withTwoFactor(world, somebody)
  await world.sql`
    update users set password_hash = ${await passwordHash} where id = ${somebody.userId}`
  const browser = new Browser(world.origin)
  const body = { email: somebody.email, password: PASSWORD }
  await must(200, browser.calls.post('/auth/sign-in/email', body))
  return { body: { code }, cookie: browser.cookie }
}

async function newPasskey(world: World, { session }: Actor, key = new Authenticator(world.origin)) {
  const options = await must(200, session.post('/auth/passkeys/register/options'))
  const jar = new Browser(world.origin)
  jar.keep(options.headers)
  const response = key.register(options.body.data)
  return { body: { name: 'Phone', response }, cookie: jar.cookie }
}

async function signInWithPasskey({ world }: Stage): Promise<Asked> {
  const somebody = await addPerson(world)
  const key = new Authenticator(world.origin)
  const { body, cookie } = await newPasskey(world, somebody, key)
  const headers = { cookie: `${somebody.session.cookie}; ${cookie}` }
  await must(201, somebody.session.post('/auth/passkeys/register/verify', body, headers))
  const browser = new Browser(world.origin)
  const options = await must(200, browser.calls.post('/auth/passkeys/sign-in/options'))
  return { body: { response: key.signIn(options.body.data) }, cookie: browser.cookie }
}

/** One of two, since the last way to sign in is not taken away. */
async function passkey({ world }: Stage, { userId }: Actor): Promise<Asked> {
  const ids = ['one', 'two'].map((each) => `psk_${each}${++serial}`)
  for (const id of ids)
    await world.sql`
      insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports,
        is_synced, created_at)
      values (${id}, ${userId}, 'Phone', ${id}, '\\x00', 0, '{}', false, now())`
  return { params: { id: ids[0]! } }
}

async function linkedAccount({ world }: Stage, { userId }: Actor): Promise<Asked> {
  const ids = ['one', 'two'].map((each) => `acc_${each}${++serial}`)
  for (const id of ids)
    await world.sql`
      insert into linked_accounts (id, user_id, provider, issuer, subject, created_at, last_used_at)
      values (${id}, ${userId}, 'oidc', 'https://issuer.example.com', ${id}, now(), now())`
  return { params: { id: ids[0]! } }
}

async function backFromProvider({ world }: Stage): Promise<Asked> {
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

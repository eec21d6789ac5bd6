import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { TEMPLATES, type TemplateName } from '../../../src/platform/mail/templates.ts'
import { callsAs, must, signUpAndIn, type Calls } from '../../support/calls.ts'
import { eventually, openWorld, type Session, type World } from '../../support/world.ts'
import { openSmtpServer } from '../../support/mail-world.ts'

const PASSWORD = 'quiet harbour lamp'
/** Floods wait for answers and for the worker far longer than they compute. */
const BESIDE = { concurrency: true }
const TRANSPORTS = ['SMTP', 'outbox'] as const

type Arrived = { to: string; subject: string; text: string }
type Stage = World & {
  arrived(): Promise<Arrived[]>
  /** Calls of a browser without cookies in this network. */
  from(network: number): Calls
}

/** One template: the cause of its mail, and the number of mails that one address gets. */
type Row = {
  causedBy: string
  max: number
  /** Causes more than `max` mails if the routes allow it. @returns their address */
  flood(stage: Stage): Promise<string>
}

let serial = 0
const freshEmail = () => `bound-${process.pid}-${++serial}@example.com`
const HOST = { url: '', events: ['link.created'] }

const ROWS: Record<TemplateName, Row> = {
  verifyEmail: {
    causedBy: 'a stranger who signs up with the address',
    max: 10,
    flood: (stage) => signUps(stage, freshEmail()),
  },
  alreadyRegistered: {
    causedBy: 'a stranger who signs up with the address of an account',
    max: 10,
    flood: async (stage) => signUps(stage, (await passwordless(stage)).email),
  },
  resetPassword: {
    causedBy: 'a stranger who asks for a new password',
    max: 10,
    async flood(stage) {
      const { email } = await passwordless(stage)
      const ask = (n: number) =>
        stage.from(n).post('/auth/request-password-reset', { email }).then(statusOf)
      await perNetwork(ask, 200)
      return email
    },
  },
  passwordChanged: {
    causedBy: 'the user, signed in and with the password',
    // A sign-in and these share ten guesses of a quarter of an hour.
    max: 9,
    async flood(stage) {
      const [email, one, other] = [freshEmail(), PASSWORD, 'seven grey herons']
      const { calls } = await signUpAndIn(
        stage.origin,
        { name: 'Owner', email, password: one },
        (to) => tokenTo(stage, to),
      )
      const statuses = []
      for (let n = 0; n < 12; n++) {
        const [currentPassword, newPassword] = n % 2 === 0 ? [one, other] : [other, one]
        const asked = calls.post('/auth/change-password', { currentPassword, newPassword })
        statuses.push(statusOf(await asked))
      }
      assert.equal(statuses.at(-1), 429)
      return email
    },
  },
  approveEmailChange: {
    causedBy: 'the user, signed in and with the password or a fresh sign-in',
    max: 10,
    async flood(stage) {
      const { session, email } = await passwordless(stage)
      const statuses = []
      for (let n = 0; n < 12; n++)
        statuses.push(
          statusOf(await session.post('/auth/change-email', { newEmail: freshEmail() })),
        )
      assert.equal(statuses.at(-1), 429)
      return email
    },
  },
  verifyNewEmail: {
    causedBy: 'any account that asks to move to the address',
    max: 10,
    async flood(stage) {
      const newEmail = freshEmail()
      const users = await Promise.all(Array.from({ length: 5 }, () => passwordless(stage)))
      const ask = (n: number) =>
        users[n]!.session.post(
          '/auth/change-email',
          { newEmail },
          { 'x-forwarded-for': addressIn(n) },
        ).then(statusOf)
      await perNetwork(ask, 200)
      return newEmail
    },
  },
  emailChanged: {
    causedBy: 'the holder of the links to both mailboxes',
    max: 1,
    async flood(stage) {
      const { session, email } = await passwordless(stage)
      const newEmail = freshEmail()
      await must(200, session.post('/auth/change-email', { newEmail }))
      const links = [await tokenTo(stage, email), await tokenTo(stage, newEmail)]
      for (const token of [...links, ...links])
        await session.post('/auth/change-email/confirm', { token })
      return email
    },
  },
  invitation: {
    causedBy: 'an admin of any workspace',
    max: 10,
    async flood(stage) {
      const email = freshEmail()
      const users = await Promise.all(Array.from({ length: 5 }, () => stage.member()))
      const ask = (n: number) =>
        users[n]!.post('/invitations', { email, role: 'viewer' }).then(statusOf)
      await perNetwork(ask, 201)
      return email
    },
  },
  accountDeleted: {
    causedBy: 'the user, signed in and with the password or a fresh sign-in',
    max: 1,
    async flood(stage) {
      const { session, email } = await passwordless(stage)
      const body = { workspaces: 'delete' }
      const statuses = []
      for (let n = 0; n < 3; n++)
        statuses.push(statusOf(await session.send('DELETE', '/auth/user', body)))
      assert.deepEqual(statuses.slice(1), [401, 401])
      return email
    },
  },
  webhookFailing: {
    causedBy: 'an admin whose endpoints name the address of an admin',
    max: 10,
    async flood(stage) {
      const { session, email } = await passwordless(stage)
      const url = await urlOfClosedPort()
      for (let n = 0; n < 12; n++) {
        const { id } = (await must(201, session.post('/workspaces', { name: 'w' }))).body.data
        const headers = { 'x-signpost-workspace': id as string }
        const endpoint = { ...HOST, url, failureEmail: email }
        await must(201, session.post('/webhooks/endpoints', endpoint, headers))
        const event = { type: 'link.created' }
        for (let i = 0; i < 5; i++)
          await must(202, session.post('/webhooks/dispatch', event, headers))
      }
      await eventually(async () => {
        const metrics = await (await fetch(`${stage.origin}/metrics`)).text()
        assert.match(metrics, /^signpost_webhook_failure_mails_postponed 2$/m)
      })
      return email
    },
  },
  alert: {
    causedBy: 'a member who names another one as a recipient of alerts',
    max: 20,
    async flood(stage) {
      const { session, email } = await passwordless(stage)
      const destinationUrl = 'https://away.invalid/'
      const links = Array.from({ length: 25 }, (_, n) => ({ name: `Link ${n}`, destinationUrl }))
      await must(200, session.post('/links/bulk', { links }))
      // The next check that fails is the second one.
      await stage.sql`
        insert into alerts (id, workspace_id, link_id, watches, recipients, is_active,
          destination_failures, next_check_at, created_at, updated_at)
        select 'alr_' || l.id, m.workspace_id, l.id, '{destination}', array[u.email_key], true,
          1, '2020-01-01', now(), now()
        from users u join members m on m.user_id = u.id
        join links l on l.workspace_id = m.workspace_id where u.email = ${email}`
      return email
    },
  },
  reportReady: {
    causedBy: 'a member who names another one as a recipient of scheduled reports',
    max: 20,
    async flood(stage) {
      const { email } = await passwordless(stage)
      await stage.sql`
        insert into reports (id, workspace_id, name, type, format, filters, asker, run_id, mail_to,
          generated_at, created_at)
        select 'rep_' || m.user_id || n, m.workspace_id, 'Links', 'links', 'csv', '{}', '{}', 'none',
          array[u.email_key], now(), now()
        from users u join members m on m.user_id = u.id, generate_series(1, 25) n
        where u.email = ${email}`
      await eventually(async () => {
        const [left] = await stage.sql<[{ reports: number }]>`
          select count(*)::int as reports from reports where mail_to is not null`
        assert.equal(left.reports, 0)
      })
      return email
    },
  },
}

test('no template sends more than its bound, and others get their mails', BESIDE, async (t) => {
  const runs = TRANSPORTS.map((transport) =>
    t.test(transport, BESIDE, (t2) => drive(t2, transport)),
  )
  await Promise.all(runs)
})

test('one user and one network each cause a part of the mails that the server sends', async (t) => {
  const world = await openWorld(t, { config: { trustedProxies: ['1'], rateLimitAuth: 10 } })
  const owner = await world.member()
  const session = await world.session(owner)
  const workspaces = [owner.workspaceId]
  while (workspaces.length < 4)
    workspaces.push((await must(201, session.post('/workspaces', { name: 'W' }))).body.data.id)
  const invite = (workspaceId: string) =>
    session.post(
      '/invitations',
      { email: freshEmail(), role: 'viewer' },
      { 'x-signpost-workspace': workspaceId },
    )
  const statuses = []
  for (let i = 0; i < 31; i++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => invite(workspaces[i % 4]!)))),
    )
  const taken = statuses.filter(({ status }) => status === 201)
  assert.deepEqual([taken.length, statuses.at(-1)!.status], [300, 429])
  const calls = callsAs(world.origin, () => ({ 'x-forwarded-for': addressIn(1) }))
  const signUp = (email: string) =>
    calls.post('/auth/sign-up/email', { name: 'Stranger', email, password: PASSWORD })
  for (let i = 0; i < 10; i++) await must(201, signUp(freshEmail()))
  await must(429, signUp(freshEmail()))
  const other = await world.member()
  await must(201, other.post('/invitations', { email: freshEmail(), role: 'viewer' }))
})

async function drive(t: TestContext, transport: (typeof TRANSPORTS)[number]): Promise<void> {
  const server = transport === 'SMTP' ? await openSmtpServer() : null
  if (server) t.after(server.close)
  const world = await openWorld(t, {
    config: {
      trustedProxies: ['1'],
      webhookAllowHttp: true,
      egressAllowedCidrs: ['127.0.0.0/8'],
      ...(server && { smtpUrl: `smtp://127.0.0.1:${server.port}` }),
    },
  })
  const stage: Stage = {
    ...world,
    arrived: async () =>
      server
        ? server.received.map(({ to, mail }) => toArrived(to[0]!, mail))
        : readOutbox(join(world.dataDir, 'outbox')),
    from: (network) => callsAs(world.origin, () => ({ 'x-forwarded-for': addressIn(network) })),
  }
  assert.deepEqual(Object.keys(ROWS).toSorted(), Object.keys(TEMPLATES).toSorted())
  await Promise.all(
    Object.entries(ROWS).map(([kind, { max, flood }]) =>
      t.test(kind, async () => {
        const address = await flood(stage)
        await othersGetTheirs(stage)
        const subject = subjectOf(kind as TemplateName)
        const count = async () =>
          (await stage.arrived()).filter((mail) => mail.to === address && mail.subject === subject)
            .length
        await eventually(async () => assert.ok((await count()) >= max))
        assert.equal(await count(), max)
      }),
    ),
  )
}

/** The token of the first mail to an address. */
function tokenTo(stage: Stage, email: string): Promise<string> {
  return eventually(async () => {
    const mail = (await stage.arrived()).find(({ to }) => to === email)
    return /token=([\w-]{43})/.exec(mail?.text ?? '')![1]!
  })
}

/** A user with a new session, which replaces a password. */
async function passwordless(stage: Stage): Promise<{ session: Session; email: string }> {
  const member = await stage.member()
  const session = await stage.session(member)
  const [row] = await stage.sql<{ email: string }[]>`
    select email from users where id = ${member.userId}`
  return { session, email: row!.email }
}

async function signUps(stage: Stage, email: string): Promise<string> {
  const input = { name: 'Stranger', email, password: PASSWORD }
  await perNetwork((n) => stage.from(n).post('/auth/sign-up/email', input).then(statusOf), 201)
  return email
}

/** Three from each of five networks or users are accepted, and a fourth of each is refused. */
async function perNetwork(ask: (network: number) => Promise<number>, taken: number): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push(await ask(n))
    assert.deepEqual(statuses, [taken, taken, taken, 429])
  }
}

/** Checks verification and reset of other addresses, from the network that has sent the flood. */
async function othersGetTheirs(stage: Stage): Promise<void> {
  const email = freshEmail()
  const { email: known } = await passwordless(stage)
  const calls = stage.from(0)
  await must(201, calls.post('/auth/sign-up/email', { name: 'S', email, password: PASSWORD }))
  await must(200, calls.post('/auth/request-password-reset', { email: known }))
  const expected = [
    [email, subjectOf('verifyEmail')],
    [known, subjectOf('resetPassword')],
  ]
  await eventually(async () => {
    const mails = await stage.arrived()
    for (const [to, subject] of expected)
      assert.ok(
        mails.some((mail) => mail.to === to && mail.subject === subject),
        `no mail ${subject}`,
      )
  })
}

/** A subject is a constant of its template: the sender of a mail chooses none of its words. */
function subjectOf(kind: TemplateName): string {
  const write = (text: string) =>
    TEMPLATES[kind]('https://links.example.com', {
      ...{ name: text, token: text, email: text, newEmail: text, role: text },
      ...{ workspaceName: text, inviterName: text, reportName: text },
      ...{ endpoints: [], unlistedCount: 0, linkName: text, count: 1, usual: 2, news: 'high' },
    } as never).subject
  assert.equal(write('one'), write('other'))
  return write('one')
}

const read = new Map<string, Arrived>()

async function readOutbox(folder: string): Promise<Arrived[]> {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.eml'))
    : []
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, name)
      if (!read.has(file)) {
        const mail = await PostalMime.parse(readFileSync(file))
        read.set(file, toArrived(mail.to?.[0]?.address ?? '', mail))
      }
      return read.get(file)!
    }),
  )
}

function toArrived(to: string, { subject = '', text = '' }: Pick<Email, 'subject' | 'text'>) {
  return { to, subject, text }
}

function addressIn(network: number): string {
  return `198.51.${network}.1`
}

function statusOf({ status }: { status: number }): number {
  return status
}

async function urlOfClosedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/hook`
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Passwords } from '../../../src/accounts/passwords/passwords.ts'
import { addActor } from '../../support/stage.ts'
import { openWorld, type Answer, type World } from '../../support/world.ts'

const PASSWORD = 'quiet harbour lamp'
const WRONG = 'seven grey herons'

/** Routes at which any client may name an address, with their answers for a known and an unknown one. */
const DOORS: readonly {
  path: string
  body: (email: string) => object
  status: number
  /** Requests that the stranger has sent before. */
  after?: { path: string; body: (email: string) => object }
}[] = [
  {
    path: '/auth/sign-in/email',
    body: (email) => ({ email, password: WRONG }),
    status: 401,
  },
  {
    path: '/auth/sign-up/email',
    body: (email) => ({ name: 'Owner', email, password: WRONG }),
    status: 201,
  },
  {
    path: '/auth/sign-up/email',
    body: (email) => ({ name: 'Owner', email, password: 'short' }),
    status: 400,
  },
  // A stranger knows the password of a sign-up that they have just sent themselves.
  {
    path: '/auth/sign-in/email',
    body: (email) => ({ email, password: WRONG }),
    status: 403,
    after: {
      path: '/auth/sign-up/email',
      body: (email) => ({ name: 'Stranger', email, password: WRONG }),
    },
  },
  { path: '/auth/request-password-reset', body: (email) => ({ email }), status: 200 },
  { path: '/auth/send-verification-email', body: (email) => ({ email }), status: 200 },
]

test('no answer tells whether an address has an account', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const hash = await new Passwords(Buffer.alloc(32)).hash(PASSWORD)
  let serial = 0
  const freshEmail = () => `address-${String(++serial).padStart(4, '0')}@example.com`

  /** Addresses without an account, and those of users of every kind. */
  const kinds: [kind: string, make: () => Promise<string>][] = [
    ['has an account', () => withAccount(hash)],
    ['has an account without a password', () => withAccount(null)],
    ['has a suspended account', () => withAccount(hash, 'suspended_at')],
    [
      'has signed up and not verified',
      async () => {
        const email = freshEmail()
        const body = { name: 'Owner', email, password: PASSWORD }
        await ask(world, '/auth/sign-up/email', body)
        return email
      },
    ],
    [
      'is invited',
      async () => {
        const owner = await world.member()
        const email = freshEmail()
        await owner.post('/invitations', { email, role: 'viewer' })
        return email
      },
    ],
  ]

  async function withAccount(
    passwordHash: string | null,
    stamped?: 'suspended_at',
  ): Promise<string> {
    const email = freshEmail()
    const { userId } = await addActor(world, passwordHash)
    await world.sql`update users set email = ${email}, email_key = ${email} where id = ${userId}`
    if (stamped)
      await world.sql`update users set ${world.sql(stamped)} = now() where id = ${userId}`
    return email
  }

  for (const { path, body, status, after } of DOORS) {
    for (const [kind, make] of kinds)
      await t.test(`${path} gives the same ${status} when the address ${kind}`, async () => {
        const [known, unknown] = [await make(), freshEmail()]
        if (after)
          for (const email of [known, unknown]) await ask(world, after.path, after.body(email))
        const answers = [
          shown(await ask(world, path, body(known)), known),
          shown(await ask(world, path, body(unknown)), unknown),
        ]
        assert.deepEqual(answers[0], answers[1])
        assert.equal(answers[0]!.status, status)
      })
  }

  await t.test('details name no more than the field that was sent', async () => {
    const email = await withAccount(hash)
    const wrong = await ask(world, '/auth/sign-in/email', { email, password: WRONG })
    assert.deepEqual(wrong.body.error.details, [])
    const weak = await ask(world, '/auth/sign-up/email', {
      name: 'Owner',
      email,
      password: 'short',
    })
    const [detail, ...others] = weak.body.error.details
    assert.deepEqual([Object.keys(detail), others], [['path', 'message', 'code'], []])
    assert.equal(detail.path, 'password')
  })

  await t.test('the invitation of an address does not tell either', async () => {
    const owner = await world.member()
    const [known, unknown] = [await withAccount(hash), freshEmail()]
    const [one, other] = [
      await owner.post('/invitations', { email: known, role: 'viewer' }),
      await owner.post('/invitations', { email: unknown, role: 'viewer' }),
    ]
    const blank = ({ body }: Answer) => ({ ...body.data, id: '', email: '' })
    assert.deepEqual([one.status, blank(one)], [other.status, blank(other)])
  })
})

function ask(world: World, path: string, body: object): Promise<Answer> {
  return world.call('POST', `/v1${path}`, {
    headers: { 'content-type': 'application/json', 'x-request-id': 'request-0001' },
    body: JSON.stringify(body),
  })
}

/** Byte for byte, but for the address itself, what is random, and what counts requests. */
function shown({ status, headers, body }: Answer, email: string) {
  const kept = [...headers].filter(([name]) => !/^(date|set-cookie|.*ratelimit.*)$/.test(name))
  const cookies = headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '='))
  return { status, headers: kept, cookies, body: JSON.stringify(body).replaceAll(email, '') }
}

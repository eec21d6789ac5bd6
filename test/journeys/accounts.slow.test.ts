import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, callsWith, must, signUpAndIn } from '../support/calls.ts'
import { freshDatabases } from '../support/engines.ts'
import { openOutbox } from '../support/outbox.ts'
import { freshDataDir, startProgram } from '../support/program.ts'
import { eventually } from '../support/world.ts'

const PASSWORD = 'quiet harbour lamp'
const FIRST = { name: 'First', email: 'first@example.com', password: PASSWORD }
const SECOND = { name: 'Second', email: 'second@example.com', password: PASSWORD }
const DOCS = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('two strangers share a workspace, by the API alone', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const dataDir = freshDataDir(t)
  const { origin, output } = await startProgram(t, dataDir, {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    LOG_LEVEL: 'info',
  })
  const outbox = openOutbox(dataDir)
  const readToken = async (email: string) => (await outbox.next(email)).token

  // A stranger is refused, signs up, and has a session only with the link of the mail.
  const stranger = new Browser(origin)
  await must(401, stranger.calls.get('/links'))
  await must(201, stranger.calls.post('/auth/sign-up/email', FIRST))
  await must(401, stranger.calls.get('/auth/session'))
  const void_ = await outbox.next(FIRST.email)
  const early = await must(403, stranger.calls.post('/auth/sign-in/email', FIRST))
  assert.equal(early.body.error.code, 'EMAIL_NOT_VERIFIED')
  const mail = await outbox.next(FIRST.email)
  assert.ok(mail.link.startsWith(`${origin}/v1/auth/verify-email?token=`), mail.link)
  await must(410, stranger.calls.post('/auth/verify-email', { token: void_.token }))
  await must(200, stranger.calls.post('/auth/verify-email', { token: mail.token }))
  await must(410, stranger.calls.post('/auth/verify-email', { token: mail.token }))
  const first = stranger.calls
  const session = (await must(200, first.get('/auth/session'))).body.data
  assert.deepEqual([session.role, session.workspace.name], ['owner', "First's workspace"])
  const workspaceId = session.workspace.id

  // A second user is invited, as a viewer.
  const invitation = { email: SECOND.email, role: 'viewer' }
  const invited = (await must(201, first.post('/invitations', invitation))).body.data
  const invitationToken = await readToken(SECOND.email)
  const guest = await signUpAndIn(origin, SECOND, readToken)
  const second = guest.calls
  const ownId = (await must(200, second.get('/auth/session'))).body.data.workspace.id
  assert.notEqual(ownId, workspaceId)
  await must(403, second.get(`/workspaces/${workspaceId}`))
  await must(403, first.post(`/invitations/${invitationToken}/accept`))
  const seen = (await must(200, second.get(`/invitations/received/${invitationToken}`))).body.data
  assert.deepEqual([seen.workspaceName, seen.inviterName], ["First's workspace", 'First'])
  await must(200, second.post(`/invitations/${invitationToken}/accept`))
  const acting = (await must(200, second.get('/auth/session'))).body.data
  assert.deepEqual([acting.workspace.id, acting.role], [workspaceId, 'viewer'])

  // A viewer reads, and is refused what is not theirs.
  const link = (await must(201, first.post('/links', DOCS))).body.data
  await must(200, second.get(`/links/${link.id}`))
  for (const asked of [
    second.post('/links', DOCS),
    second.delete(`/links/${link.id}`),
    second.post('/api-keys', { name: 'Mine' }),
    second.get('/audit-log'),
    second.delete(`/members/${session.user.id}`),
    second.patch(`/workspaces/${workspaceId}`, { name: 'Mine' }),
  ])
    assert.equal((await must(403, asked)).body.error.code, 'FORBIDDEN')

  // A key that may read links, and nothing else.
  const limits = { name: 'Reader', scopes: ['links:read'], ipAllowlist: ['127.0.0.1', '::1'] }
  const made = (await must(201, first.post('/api-keys', limits))).body.data
  assert.match(made.key, /^sp_/)
  const reader = callsWith(made.key, origin)
  assert.equal((await must(200, reader.get('/links'))).body.meta.total, 1)
  const refused = await must(403, reader.post('/links', DOCS))
  assert.deepEqual(refused.body.error.details, { requiredScope: 'links:write' })
  await must(403, reader.get('/members'))
  await must(403, reader.get('/api-keys'))
  await must(403, reader.get('/auth/session'))
  const elsewhere = { ipAllowlist: ['203.0.113.0/24'] }
  await must(200, first.patch(`/api-keys/${made.id}`, elsewhere))
  await eventually(async () => void (await must(403, reader.get('/links'))))
  await must(204, first.delete(`/api-keys/${made.id}`))
  await eventually(async () => void (await must(401, reader.get('/links'))))

  // A raised and a removed member, within a second where the machine is quick enough to see it.
  const secondId = (await must(200, second.get('/auth/session'))).body.data.user.id
  await must(200, first.patch(`/members/${secondId}`, { role: 'member' }))
  await eventually(async () => void (await must(201, second.post('/links', DOCS))))
  await must(204, first.delete(`/members/${secondId}`))
  const there = { 'x-signpost-workspace': workspaceId }
  await eventually(async () => void (await must(403, second.get('/links', there))))
  assert.equal((await must(200, second.get('/links'))).body.meta.total, 0)
  await must(409, first.delete(`/members/${session.user.id}`))

  // All of it is in the logs.
  const audit = (await must(200, first.get('/audit-log?limit=100'))).body
  const actions = audit.data.map(({ action }: { action: string }) => action).toReversed()
  assert.deepEqual(actions, [
    'workspace.created',
    'invitation.created',
    'invitation.accepted',
    'member.joined',
    'link.created',
    'api_key.created',
    'api_key.updated',
    'api_key.revoked',
    'member.role_changed',
    'link.created',
    'member.removed',
  ])
  const joined = audit.data.find(({ action }: { action: string }) => action === 'member.joined')
  assert.deepEqual(
    [joined.actor.email, joined.target.id, joined.changes.role.new],
    [SECOND.email, secondId, 'viewer'],
  )
  // A refusal by address is written within a second.
  const security = await eventually(async () => {
    const { data } = (await must(200, first.get('/security-log?limit=100'))).body
    const types = new Set(data.map(({ type }: { type: string }) => type))
    for (const type of [
      'sign_in.succeeded',
      'member.invited',
      'member.joined',
      'member.role_changed',
      'member.removed',
      'api_key.created',
      'api_key.ip_denied',
      'api_key.revoked',
    ])
      assert.ok(types.has(type), `${type} in ${[...types].join(', ')}`)
    return data
  })
  const revoked = await must(200, first.get('/audit-log?action=api_key.revoked'))
  assert.deepEqual([revoked.body.meta.total, revoked.body.data[0].target.id], [1, made.id])
  assert.equal((await must(200, first.get('/invitations'))).body.data[0].id, invited.id)

  const written = JSON.stringify([audit, security]) + JSON.stringify(output())
  for (const secret of [
    made.key,
    PASSWORD,
    invitationToken,
    mail.token,
    ...stranger.cookies.values(),
  ])
    assert.ok(!written.includes(secret), 'a secret is in a log')
})

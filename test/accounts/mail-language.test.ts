import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, must } from '../support/calls.ts'
import { openWorld } from '../support/world.ts'

const PASSWORD = 'quiet harbour lamp'

test('mails are in the language of the user, which a sign-up takes from the browser', async (t) => {
  const world = await openWorld(t)
  const { calls } = new Browser(world.origin)
  const email = 'ada@example.com'
  const inItalian = { 'accept-language': 'it-IT, en;q=0.5' }
  const inPolish = { 'accept-language': 'pl' }
  const account = { name: 'Ada', email, password: PASSWORD }
  await must(201, calls.post('/auth/sign-up/email', account, inItalian))
  const verification = await world.outbox.next(email)
  assert.equal(verification.subject, 'Conferma il tuo indirizzo email')
  const { token } = verification
  await must(200, calls.post('/auth/verify-email', { token }, inItalian))
  const { body } = await must(200, calls.get('/auth/session'))
  assert.equal(body.data.preferences.language, 'it')

  const { calls: strangers } = new Browser(world.origin)
  const reset = () => strangers.post('/auth/request-password-reset', { email }, inPolish)
  await must(200, reset())
  assert.equal((await world.outbox.next(email)).subject, 'Scegli una nuova password')

  await must(200, calls.patch('/auth/user', { preferences: { language: 'zh-CN' } }))
  await must(200, reset())
  assert.equal((await world.outbox.next(email)).subject, '请设置新密码')
})

test('an invitation is in the language of the inviter until the invited user has one', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`
    update users set preferences = '{"language":"de"}' where id = ${owner.userId}`
  const email = 'guest@example.com'
  await must(201, owner.post('/invitations', { email, role: 'viewer' }))
  const { subject, text } = await world.outbox.next(email)
  assert.equal(subject, 'Einladung in einen Workspace auf Signpost')
  assert.match(text, /mit der Rolle Betrachter\./)

  const member = await world.member()
  const [invited] = await world.sql<{ email: string }[]>`
    update users set preferences = '{"language":"ar"}' where id = ${member.userId} returning email`
  await must(201, owner.post('/invitations', { email: invited!.email, role: 'viewer' }))
  assert.equal((await world.outbox.next(invited!.email)).subject, 'دعوة إلى مساحة عمل على Signpost')
})

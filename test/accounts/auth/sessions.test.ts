import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../../src/platform/routes/principal.ts'
import { CREDENTIALS_CHANNEL } from '../../../src/accounts/credentials/cache.ts'
import { SESSION_COOKIE, setActiveWorkspace } from '../../../src/accounts/sign-in/sessions.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { eventually } from '../../support/world.ts'
import { dataOf, refusedWith } from '../../support/auth-rules.ts'
import { newBrowser, openService, PASSWORD } from '../../support/auth-service.ts'
import { addMembership, addWorkspace } from '../../support/fixtures.ts'
import { listen } from '../../../src/platform/storage/postgres/listen.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

test('sessions', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const { sessions, signInWith, signedIn, sql, time } = service
  const tokenOf = (browser: { cookies: Record<string, string> }) => browser.cookies[SESSION_COOKIE]!

  async function joinWorkspace(userId: string, id: string, nowMs: number, role: Role = 'member') {
    await addWorkspace(sql, { id, nowMs })
    await addMembership(sql, { workspaceId: id, userId, role, nowMs })
  }

  await t.test('the token is 256 bits, and only its hash is stored', async () => {
    const { browser } = await service.member()
    assert.equal(Buffer.from(tokenOf(browser), 'base64url').length, 32)
    const rows = await sql`select * from sessions`
    assert.ok(!JSON.stringify(rows).includes(tokenOf(browser)))
    for (const wrong of ['', 'x', tokenOf(browser).slice(1), `${tokenOf(browser)}x`])
      assert.equal(await sessions.authenticate(wrong, null), null)
  })

  await t.test('one ends after seven days without use, and is written once an hour', async () => {
    const { browser } = await service.member()
    const seen = async () =>
      (
        await sql<{ lastSeenAt: Date }[]>`
        select last_seen_at from sessions where id = ${browser.session!.id}`
      )[0]!.lastSeenAt.getTime()
    const first = await seen()
    time.now += 3_599_000
    await signedIn(browser)
    assert.equal(await seen(), first)
    time.now += 1_000
    const holder = await sessions.authenticate(tokenOf(browser), null)
    assert.equal(await seen(), time.now)
    assert.equal(holder!.expiresAt.getTime(), time.now + 7 * DAY_MS)
    time.now += 7 * DAY_MS - 1
    assert.equal(await signedIn(browser), true)
    time.now += 7 * DAY_MS
    assert.equal(await signedIn(browser), false)
  })

  await t.test('one ends after thirty days, however much it is used', async () => {
    const { browser } = await service.member()
    for (let day = 1; day < 30; day++) {
      time.now += DAY_MS
      assert.equal(await signedIn(browser), true, `day ${day}`)
    }
    time.now += DAY_MS
    assert.equal(await signedIn(browser), false)
  })

  await t.test('it is in the active workspace while the user belongs to it', async () => {
    const { browser, userId } = await service.member()
    const token = tokenOf(browser)
    const own = browser.session!.workspaceId!
    const [older, newer] = [`wsp_a_${userId}`, `wsp_b_${userId}`]
    await joinWorkspace(userId, older, time.now + 1)
    await joinWorkspace(userId, newer, time.now + 2, 'viewer')
    await inTransaction(sql, (tx) => setActiveWorkspace(tx, browser.session!.id, newer))
    const placeOf = async (wanted: string | null) => {
      const holder = await sessions.authenticate(token, wanted)
      const { session, membership } = holder!
      return [session.workspaceId, membership?.workspaceId, membership?.role]
    }
    assert.deepEqual(await placeOf(null), [newer, newer, 'viewer'])
    assert.deepEqual(await placeOf(older), [newer, older, 'member'])
    const stranger = await service.member()
    const foreign = stranger.browser.session!.workspaceId!
    assert.deepEqual(await placeOf(foreign), [newer, undefined, undefined])
    assert.deepEqual(await placeOf(''), [newer, undefined, undefined])

    await sql`delete from members where workspace_id = ${newer} and user_id = ${userId}`
    assert.deepEqual(await placeOf(null), [own, own, 'owner'])
    await sql`update workspaces set suspended_at = now(), plan = 'pro' where id = ${own}`
    const { membership } = (await sessions.authenticate(token, null))!
    assert.partialDeepStrictEqual(membership, { isSuspended: true, plan: 'pro' })
    await sql`delete from workspaces where id = any(${[own, older]}::text[])`
    assert.deepEqual(await placeOf(null), [null, undefined, undefined])
    assert.equal(dataOf(await service.signIn.current(browser.caller))?.workspace, null)
  })

  await t.test('the list shows no token, and only the own ones', async () => {
    const { email, browser } = await service.member()
    await service.member()
    const other = newBrowser()
    await signInWith(other, email)
    const { data: list, meta } = dataOf(
      await sessions.list(browser.caller, { limit: 50, offset: 0 }),
    )
    assert.deepEqual(meta, { total: 2, limit: 50, offset: 0 })
    assert.equal(list.length, 2)
    assert.deepEqual(
      list.map(({ id, isCurrent }) => [id, isCurrent]),
      [
        [browser.session!.id, true],
        [other.session!.id, false],
      ],
    )
    assert.partialDeepStrictEqual(list[0], { ip: '192.0.2.1', userAgent: 'test' })
    const text = JSON.stringify(list)
    for (const each of [browser, other]) assert.ok(!text.includes(tokenOf(each)))
  })

  await t.test('a revoked one is dead, another user cannot revoke it', async () => {
    const { email, browser, userId } = await service.member()
    const stranger = await service.member()
    const other = newBrowser()
    await signInWith(other, email)
    const id = other.session!.id
    await refusedWith(sessions.remove(stranger.browser.caller, id), 'NOT_FOUND')
    assert.equal(await signedIn(other), true)
    await sessions.remove(browser.caller, id)
    assert.equal(await signedIn(other), false)
    await refusedWith(sessions.remove(browser.caller, id), 'NOT_FOUND')
    const third = newBrowser()
    await signInWith(third, email)
    await sessions.removeOthers(browser.caller)
    assert.equal(await signedIn(third), false)
    assert.equal(await signedIn(browser), true)
    assert.deepEqual((await service.securityTypes(userId)).slice(-4), [
      'sign_in.succeeded',
      'session.revoked',
      'sign_in.succeeded',
      'session.revoked',
    ])
  })

  await t.test('signing out ends it here, not in the browser alone', async () => {
    const { browser, userId } = await service.member()
    const token = tokenOf(browser)
    const reply = await sessions.signOut(browser.caller)
    browser.keep(reply)
    assert.equal(tokenOf(browser), undefined)
    assert.equal(await sessions.authenticate(token, null), null)
    assert.equal((await service.securityTypes(userId)).at(-1), 'sign_out')
    dataOf(await sessions.signOut(newBrowser().caller))
  })

  await t.test('every process is notified of a revocation', async () => {
    const heard: string[] = []
    const listener = openPostgres(service.postgresUrl, { maxConnections: 1 })
    await listen(listener, [CREDENTIALS_CHANNEL], ({ payload }) => void heard.push(payload))
    const { email, browser, userId } = await service.member()
    const other = newBrowser()
    await signInWith(other, email)
    await sessions.removeOthers(browser.caller)
    await service.passwordChange.change(browser.caller, {
      currentPassword: PASSWORD,
      newPassword: 'another one of mine',
    })
    await eventually(async () => assert.equal(heard.at(-1), `user:${userId}`))
    await closePostgres(listener)
    assert.deepEqual(heard, [`session:${other.session!.id}`, `user:${userId}`])
  })

  await t.test('the role that answers requests sees nothing of all this', async () => {
    const request = openPostgres(service.postgresUrl, { role: REQUEST_ROLE, maxConnections: 1 })
    await service.signUpWith(newBrowser(), service.freshEmail())
    for (const table of ['sessions', 'pending_sign_ups', 'auth_tokens', 'email_changes'])
      await assert.rejects(request`select 1 from ${request(table)}`, { code: '42501' }, table)
    await closePostgres(request)
  })
})

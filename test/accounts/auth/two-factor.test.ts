import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { voidPendingSignIns } from '../../../src/accounts/sign-in/sessions.ts'
import { TWO_FACTOR_COOKIE } from '../../../src/accounts/sign-in/complete-sign-in.ts'
import { createTwoFactor } from '../../../src/accounts/second-factor/two-factor.ts'
import {
  closePostgres,
  openPostgres,
  inTransaction,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { Browser, dataOf, openDependencies, refusedWith } from '../../support/auth-rules.ts'

const STEP_MS = 30_000
const PASSWORD = 'correct horse battery'

test('two-factor sign-in', { concurrency: false }, async (t) => {
  const deps = await openDependencies(t)
  const { sql, time } = deps
  const twoFactor = createTwoFactor({
    ...deps,
    passwords: deps.passwordsThat((password) => password === PASSWORD),
  })
  const codeOf = (secret: string, atMs = time.now) =>
    new TOTP({ secret }).generate({ timestamp: atMs })

  /** A user who turned on two-factor sign-in some steps ago. */
  async function addProtected() {
    const { id, email } = await deps.addUser()
    const browser = new Browser().signIn(id, time.now)
    const setup = dataOf(await twoFactor.enable(browser.caller, { password: PASSWORD }))
    await twoFactor.verify(browser.caller, { code: codeOf(setup.secret) })
    time.now += 3 * STEP_MS
    return { id, email, browser, ...setup }
  }
  async function begun(userId: string) {
    const browser = new Browser()
    browser.keep(await twoFactor.begin(userId, 'password'))
    return browser
  }
  const settled = async (works: Promise<unknown>[]) =>
    (await Promise.allSettled(works)).filter(({ status }) => status === 'fulfilled').length

  await t.test('it is on once the first code of the app was shown, and not before', async () => {
    const { id, email } = await deps.addUser()
    const browser = new Browser().signIn(id, time.now)
    const setup = dataOf(await twoFactor.enable(browser.caller, { password: PASSWORD }))
    const url = new URL(setup.otpauthUrl)
    assert.equal(url.searchParams.get('secret'), setup.secret)
    assert.equal(url.searchParams.get('issuer'), 'Signpost')
    assert.ok(decodeURIComponent(url.pathname).includes(email))
    assert.equal(new Set(setup.backupCodes).size, 10)

    assert.equal(await twoFactor.isEnabled(id), false)
    await refusedWith(twoFactor.verify(browser.caller, { code: '000000' }), 'INVALID_CODE')
    await refusedWith(
      twoFactor.verify(browser.caller, { code: setup.backupCodes[0]! }),
      'INVALID_CODE',
    )
    assert.equal(await twoFactor.isEnabled(id), false)
    const reply = await twoFactor.verify(browser.caller, { code: codeOf(setup.secret) })
    assert.deepEqual(dataOf(reply), { enabled: true })
    assert.equal(await twoFactor.isEnabled(id), true)
    assert.deepEqual(dataOf(await twoFactor.state(browser.caller)), {
      enabled: true,
      backupCodesLeft: 10,
    })
    assert.deepEqual(await deps.securityTypes(id), [
      'two_factor.enabled',
      'two_factor.failed',
      'two_factor.failed',
    ])
    await refusedWith(twoFactor.enable(browser.caller, { password: PASSWORD }), 'CONFLICT')
  })

  await t.test('new backup codes void the former ones, and take a fresh session', async () => {
    const { id, browser, backupCodes: former } = await addProtected()
    const { backupCodes } = dataOf(await twoFactor.replaceCodes(browser.caller))
    assert.equal(new Set([...backupCodes, ...former]).size, 20)
    const pending = await begun(id)
    await refusedWith(twoFactor.verify(pending.caller, { code: former[0]! }), 'INVALID_CODE')
    await twoFactor.verify(pending.caller, { code: backupCodes[0]! })
    assert.equal(dataOf(await twoFactor.state(browser.caller)).backupCodesLeft, 9)
    assert.ok((await deps.securityTypes(id)).includes('backup_codes.replaced'))
    time.now += 900_001
    await refusedWith(twoFactor.replaceCodes(browser.caller), 'SESSION_NOT_FRESH')
    await refusedWith(twoFactor.replaceCodes(new Browser().caller), 'UNAUTHORIZED')
    assert.equal(dataOf(await twoFactor.state(browser.caller)).backupCodesLeft, 9)
  })

  await t.test('there are no backup codes without two-factor sign-in', async () => {
    const { id } = await deps.addUser()
    const browser = new Browser().signIn(id, time.now)
    await refusedWith(twoFactor.replaceCodes(browser.caller), 'CONFLICT')
    // Set up, and not confirmed by a first code.
    await twoFactor.enable(browser.caller, { password: PASSWORD })
    await refusedWith(twoFactor.replaceCodes(browser.caller), 'CONFLICT')
  })

  await t.test(
    'setting it up takes the password, and replaces what was set up before',
    async () => {
      const { id } = await deps.addUser()
      const browser = new Browser().signIn(id, time.now)
      await refusedWith(twoFactor.enable(new Browser().caller, {}), 'UNAUTHORIZED')
      await refusedWith(twoFactor.enable(browser.caller, {}), 'VALIDATION_ERROR')
      await refusedWith(twoFactor.enable(browser.caller, { password: 'wrong' }), 'VALIDATION_ERROR')
      await refusedWith(twoFactor.verify(browser.caller, { code: '123456' }), 'VALIDATION_ERROR')
      const first = dataOf(await twoFactor.enable(browser.caller, { password: PASSWORD }))
      const second = dataOf(await twoFactor.enable(browser.caller, { password: PASSWORD }))
      await refusedWith(
        twoFactor.verify(browser.caller, { code: codeOf(first.secret) }),
        'INVALID_CODE',
      )
      await twoFactor.verify(browser.caller, { code: codeOf(second.secret) })
      time.now += 3 * STEP_MS
      const signingIn = await begun(id)
      await refusedWith(
        twoFactor.verify(signingIn.caller, { code: first.backupCodes[0]! }),
        'INVALID_CODE',
      )
      await twoFactor.verify(signingIn.caller, { code: second.backupCodes[0]! })
    },
  )

  await t.test('an account without a password shows a recent sign-in instead', async () => {
    const { id } = await deps.addUser({ passwordHash: '' })
    const browser = new Browser().signIn(id, time.now - 15 * 60_000 - 1)
    await refusedWith(twoFactor.enable(browser.caller, {}), 'SESSION_NOT_FRESH')
    await twoFactor.enable(browser.signIn(id, time.now).caller, {})
  })

  await t.test('only a right code makes the session, in the browser that began', async () => {
    const user = await addProtected()
    const browser = await begun(user.id)
    assert.deepEqual(Object.keys(browser.cookies), [TWO_FACTOR_COOKIE])
    await refusedWith(
      twoFactor.verify(new Browser().caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
    const stranger = new Browser()
    stranger.cookies[TWO_FACTOR_COOKIE] = 'made-up'
    await refusedWith(
      twoFactor.verify(stranger.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
    await refusedWith(twoFactor.verify(browser.caller, { code: 'abcdef' }), 'INVALID_CODE')
    const before = { ...browser.cookies }
    const reply = browser.keep(
      await twoFactor.verify(browser.caller, { code: codeOf(user.secret) }),
    )
    assert.ok('user' in dataOf(reply))
    assert.deepEqual(await deps.sessionOf(browser), { userId: user.id, method: 'password' })
    assert.deepEqual(Object.keys(browser.cookies), ['signpost_session', 'signpost_device'])

    time.now += STEP_MS
    browser.cookies = before
    await refusedWith(
      twoFactor.verify(browser.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
  })

  await t.test('a code of another user is wrong', async () => {
    const [one, other] = [await addProtected(), await addProtected()]
    const browser = await begun(one.id)
    await refusedWith(
      twoFactor.verify(browser.caller, { code: codeOf(other.secret) }),
      'INVALID_CODE',
    )
    await refusedWith(
      twoFactor.verify(browser.caller, { code: other.backupCodes[0]! }),
      'INVALID_CODE',
    )
  })

  await t.test('a code is accepted once, and none before it after it', async () => {
    const user = await addProtected()
    const signIn = async (code: string) => twoFactor.verify((await begun(user.id)).caller, { code })
    const code = codeOf(user.secret)
    const earlier = codeOf(user.secret, time.now - STEP_MS)
    const next = codeOf(user.secret, time.now + STEP_MS)
    await signIn(code)
    await refusedWith(signIn(code), 'INVALID_CODE')
    await refusedWith(signIn(earlier), 'INVALID_CODE')
    await signIn(next)
    await refusedWith(signIn(next), 'INVALID_CODE')
  })

  await t.test('a code is good one step early and late, and no more', async () => {
    const user = await addProtected()
    const verifyAt = async (offset: number) =>
      twoFactor.verify((await begun(user.id)).caller, {
        code: codeOf(user.secret, time.now + offset * STEP_MS),
      })
    await refusedWith(verifyAt(-2), 'INVALID_CODE')
    await refusedWith(verifyAt(2), 'INVALID_CODE')
    await verifyAt(-1)
    await verifyAt(1)
  })

  await t.test(
    'of 20 sign-ins with one code at once, one succeeds; of a backup code too',
    async () => {
      const user = await addProtected()
      for (const code of [codeOf(user.secret), user.backupCodes[0]!]) {
        const browsers = await Promise.all(Array.from({ length: 20 }, () => begun(user.id)))
        const signedIn = await settled(
          browsers.map((browser) => twoFactor.verify(browser.caller, { code })),
        )
        assert.equal(signedIn, 1)
      }
    },
  )

  await t.test('the fifth wrong code voids the sign-in, also when they come at once', async () => {
    const user = await addProtected()
    const browser = await begun(user.id)
    const codes = Array.from({ length: 20 }, (_, index) => `x${index}`)
    const outcomes = await Promise.all(
      codes.map((code) => refusedWithAny(twoFactor.verify(browser.caller, { code }))),
    )
    assert.equal(outcomes.filter((code) => code === 'INVALID_CODE').length, 5)
    assert.equal(outcomes.filter((code) => code === 'UNAUTHORIZED').length, 15)
    await refusedWith(
      twoFactor.verify(browser.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
  })

  await t.test('a sign-in that waits longer than five minutes is over', async () => {
    const user = await addProtected()
    const browser = await begun(user.id)
    time.now += 5 * 60_000
    await refusedWith(
      twoFactor.verify(browser.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
  })

  await t.test('voided sign-ins end nowhere', async () => {
    const user = await addProtected()
    const browser = await begun(user.id)
    await inTransaction(sql, (tx) => voidPendingSignIns(tx as never, user.id))
    await refusedWith(
      twoFactor.verify(browser.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
  })

  await t.test('a backup code works once, however it is typed, and its use is logged', async () => {
    const user = await addProtected()
    const [code] = user.backupCodes
    const typed = ` ${code!.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    await twoFactor.verify((await begun(user.id)).caller, { code: typed })
    await refusedWith(
      twoFactor.verify((await begun(user.id)).caller, { code: code! }),
      'INVALID_CODE',
    )
    const [row] = await sql<{ details: unknown }[]>`
      select details from security_log where user_id = ${user.id} and type = 'backup_codes.used'`
    assert.deepEqual(row!.details, { left: 9 })
    assert.equal(dataOf(await twoFactor.state(user.browser.caller)).backupCodesLeft, 9)
  })

  await t.test('turning it off takes the password and a code', async () => {
    const user = await addProtected()
    const { caller } = user.browser
    const code = codeOf(user.secret)
    await refusedWith(twoFactor.disable(caller, { password: 'wrong', code }), 'VALIDATION_ERROR')
    await refusedWith(twoFactor.disable(caller, { password: PASSWORD, code: '1' }), 'INVALID_CODE')
    const waiting = await begun(user.id)
    await twoFactor.disable(caller, { password: PASSWORD, code })
    assert.equal(await twoFactor.isEnabled(user.id), false)
    time.now += STEP_MS
    await refusedWith(
      twoFactor.verify(waiting.caller, { code: codeOf(user.secret) }),
      'UNAUTHORIZED',
    )
    assert.ok((await deps.securityTypes(user.id)).includes('two_factor.disabled'))
  })

  /** Three guesses a user, counted as in the program. */
  function tightTwoFactor() {
    const factorLimiter = deps.limits.limiter('factor', { points: 3 })
    const passwords = deps.passwordsThat((password) => password === PASSWORD)
    const tight = createTwoFactor({ ...deps, passwords, factorLimiter })
    const tryCode = async (userId: string, code: string) =>
      refusedWithAny(tight.verify((await begun(userId)).caller, { code }))
    return { tight, tryCode }
  }

  await t.test('guesses are limited per user, over all sign-ins and addresses', async () => {
    const user = await addProtected()
    const { tryCode } = tightTwoFactor()
    for (const code of ['000000', '000001', '000002'])
      assert.equal(await tryCode(user.id, code), 'INVALID_CODE')
    assert.equal(await tryCode(user.id, codeOf(user.secret)), 'RATE_LIMITED')
  })

  await t.test('right codes and passwords use up nothing of that limit', async () => {
    const { id } = await deps.addUser()
    const { caller } = new Browser().signIn(id, time.now)
    const { tight, tryCode } = tightTwoFactor()
    let secret = ''
    for (let i = 0; i < 5; i++)
      secret = dataOf(await tight.enable(caller, { password: PASSWORD })).secret
    await tight.verify(caller, { code: codeOf(secret) })
    for (let i = 0; i < 5; i++) {
      time.now += STEP_MS
      assert.equal(await tryCode(id, codeOf(secret)), 'accepted')
    }
    // All of it is there still, and wrong ones between right ones add up.
    for (const wrong of ['000000', '000001']) {
      assert.equal(await tryCode(id, wrong), 'INVALID_CODE')
      time.now += STEP_MS
      assert.equal(await tryCode(id, codeOf(secret)), 'accepted')
    }
    // One that was taken before is a guess like any other, here the third.
    assert.equal(await tryCode(id, codeOf(secret)), 'INVALID_CODE')
    time.now += STEP_MS
    assert.equal(await tryCode(id, codeOf(secret)), 'RATE_LIMITED')
  })

  await t.test('a right password with a wrong code is a guess at the code', async () => {
    const user = await addProtected()
    const { tight } = tightTwoFactor()
    const { caller } = user.browser
    const off = (code: string) =>
      refusedWithAny(tight.disable(caller, { password: PASSWORD, code }))
    for (let i = 0; i < 3; i++) assert.equal(await off(`00000${i}`), 'INVALID_CODE')
    assert.equal(await off(codeOf(user.secret)), 'RATE_LIMITED')
  })

  await t.test('parallel guesses beside right codes stay within that limit', async () => {
    const user = await addProtected()
    const { tryCode } = tightTwoFactor()
    const [spare, ...codes] = user.backupCodes
    const outcomes = await Promise.all(
      codes.flatMap((code, i) => [tryCode(user.id, code), tryCode(user.id, `x${i}`)]),
    )
    let guesses = outcomes.filter((code) => code === 'INVALID_CODE').length
    while ((await tryCode(user.id, 'wrong')) === 'INVALID_CODE') guesses++
    assert.ok(guesses <= 3, `${guesses} guesses`)
    assert.equal(await tryCode(user.id, spare!), 'RATE_LIMITED')
  })

  await t.test('what is stored opens nothing by itself, and is seen by no workspace', async () => {
    const user = await addProtected()
    const browser = await begun(user.id)
    const tables = ['two_factor', 'backup_codes', 'pending_sign_ins', 'security_log']
    const stored = await Promise.all(
      tables.map((table) => sql`select to_jsonb(r)::text as row from ${sql(table)} r`),
    )
    const text = JSON.stringify(stored)
    const secrets = [user.secret, ...user.backupCodes, browser.cookies[TWO_FACTOR_COOKIE]!]
    for (const secret of secrets) {
      assert.ok(!text.includes(secret))
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')))
    }
    const other = await addProtected()
    await sql`
      update two_factor set secret_sealed = o.secret_sealed from two_factor o
      where two_factor.user_id = ${other.id} and o.user_id = ${user.id}`
    await assert.rejects(
      twoFactor.verify((await begun(other.id)).caller, { code: codeOf(user.secret) }),
    )

    const asRequest = openPostgres(deps.postgresUrl, { role: REQUEST_ROLE })
    t.after(() => closePostgres(asRequest))
    for (const table of ['backup_codes', 'pending_sign_ins'])
      await assert.rejects(asRequest`select 1 from ${asRequest(table)}`, { code: '42501' })
    // It reads whether a fellow member has a second factor, and nothing else of it.
    await assert.rejects(asRequest`select secret_sealed from two_factor`, { code: '42501' })
    assert.equal((await asRequest`select user_id from two_factor`).length, 0)
  })
})

async function refusedWithAny(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
}

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { RATES } from '../../../src/platform/limits/rates.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { openRateLimits } from '../../../src/platform/limits/rate-limits.ts'
import { dataOf, refusedWith } from '../../support/auth-rules.ts'
import {
  newBrowser,
  openService,
  OTHER_PASSWORD,
  PASSWORD,
  type Service,
} from '../../support/auth-service.ts'

const PER_NETWORK = RATES['mail-network'].points as number
const PER_ADDRESS = RATES.mail.points as number

/** The service with the budgets of the program. */
async function openBudgets(t: TestContext) {
  const limits = await openRateLimits({ redisUrl: null, log: openLog('silent') })
  t.after(() => limits[Symbol.asyncDispose]())
  const deps = await openService(t)
  const service = deps.with({
    mailLimiter: limits.limiter('mail'),
    mailNetworkLimiter: limits.limiter('mail-network'),
  })
  return { ...deps, ...service, member: deps.member, freshEmail: deps.freshEmail }
}

type Asking = (service: Service, email: string, ip: string) => Promise<unknown>

const signUp: Asking = (service, email, ip) =>
  service.signUp.signUp({ ...newBrowser().caller, ip }, { name: 'S', email, password: PASSWORD })
const resend: Asking = (service, email, ip) =>
  service.signUp.resend({ ...newBrowser().caller, ip }, email)
const reset: Asking = (service, email, ip) =>
  service.reset.request({ ...newBrowser().caller, ip }, email)

test('mails a stranger may ask for', { concurrency: false }, async (t) => {
  const service = await openBudgets(t)
  const mailsTo = (email: string) => service.sent.filter(({ to }) => to === email).length

  for (const [name, ask, isAnswered] of [
    ['sign-up', signUp, true],
    ['send-verification-email', resend, false],
    ['reset', reset, true],
  ] as const)
    await t.test(`${name}: a network is refused after three, an address never`, async () => {
      const { email: known } = await service.member()
      for (const email of [known, service.freshEmail()]) {
        const before = mailsTo(email)
        for (let n = 0; n < PER_NETWORK; n++) await ask(service, email, `2001:db8:1:2::${n}`)
        const error = await refusedWith(
          ask(service, email, '2001:db8:1:2::9') as never,
          'RATE_LIMITED',
        )
        assert.ok('retryAfter' in error.details)
        const answers = new Set<string>()
        for (let n = 0; n < 12; n++) {
          const { data } = (await ask(service, email, `192.0.2.${n}`)) as { data: object }
          answers.add(JSON.stringify(data))
        }
        assert.equal(answers.size, 1, 'the answer over the budget is another one')
        const isMailed = isAnswered && (name !== 'reset' || email === known)
        assert.equal(mailsTo(email) - before, isMailed ? PER_ADDRESS : 0)
      }
    })

  await t.test('sign-ups of strangers leave the budget of the reset to the owner', async () => {
    const { email } = await service.member()
    for (let n = 0; n < 12; n++) await signUp(service, email, `192.0.2.${n}`)
    await reset(service, email, '192.0.2.1')
    assert.equal(service.sent.at(-1)!.kind, 'resetPassword')
  })

  await t.test('over the budget of a reset the link of the earlier mail works', async () => {
    const { email } = await service.member()
    for (let n = 0; n < PER_ADDRESS; n++) await reset(service, email, `192.0.2.${n}`)
    const { token } = service.sent.findLast(({ to }) => to === email)!
    await reset(service, email, '198.51.100.1')
    assert.equal(service.sent.findLast(({ to }) => to === email)!.token, token)
    const input = { token: token!, password: OTHER_PASSWORD }
    dataOf(await service.reset.reset(newBrowser().caller, input))
  })

  for (const where of ['in her browser', 'elsewhere, with her password'])
    await t.test(
      `over the budget of a sign-up the link of a stranger's mail completes the owner's own, ${where}`,
      async () => {
        const email = service.freshEmail()
        for (let n = 0; n < PER_ADDRESS; n++) await signUp(service, email, `192.0.2.${n}`)
        const mails = service.sent.length
        const owner = newBrowser()
        const input = { name: 'Owner', email, password: OTHER_PASSWORD }
        const caller = { ...owner.caller, ip: '198.51.100.1' }
        owner.keep(await service.signUp.signUp(caller, input))
        assert.equal(service.sent.length, mails, 'a mail over the budget')
        const { token } = service.sent.findLast(({ to }) => to === email)!
        const isHers = where === 'in her browser'
        const reply = await service.verification.verify(
          isHers ? owner.caller : newBrowser().caller,
          isHers ? { token: token! } : { token: token!, password: OTHER_PASSWORD },
        )
        assert.equal(dataOf(reply).user!.name, 'Owner')
        const guess = { email, password: PASSWORD }
        await refusedWith(
          service.signIn.withPassword(newBrowser().caller, guess),
          'INVALID_CREDENTIALS',
        )
      },
    )

  await t.test('a sign-in over the budget is answered as before, and voids no link', async () => {
    const email = service.freshEmail()
    const browser = newBrowser()
    const input = { name: 'Owner', email, password: PASSWORD }
    browser.keep(await service.signUp.signUp(browser.caller, input))
    const tokens = new Set<string | undefined>()
    for (let n = 0; n < 5; n++) {
      await refusedWith(
        service.signIn.withPassword(browser.caller, { email, password: PASSWORD }),
        'EMAIL_NOT_VERIFIED',
      )
      tokens.add(service.sent.findLast(({ to }) => to === email)!.token)
    }
    assert.equal(mailsTo(email), PER_NETWORK)
    dataOf(await service.verification.verify(browser.caller, { token: [...tokens].at(-1)! }))
  })

  await t.test('over the budget of a change of address the earlier links work', async () => {
    const user = await service.member()
    const newEmail = service.freshEmail()
    const ask = (ip: string) =>
      service.profile.changeEmail({ ...user.browser.caller, ip }, { newEmail, password: PASSWORD })
    for (let n = 0; n < PER_ADDRESS + 3; n++) await ask(`192.0.2.${n}`)
    assert.equal(mailsTo(newEmail), PER_ADDRESS)
    for (const to of [user.email, newEmail]) {
      const { token } = service.sent.findLast((mail) => mail.to === to)!
      dataOf(await service.profile.confirmChange(user.browser.caller, { token: token! }))
    }
    assert.equal(service.sent.at(-1)!.kind, 'emailChanged')
  })
})

import assert from 'node:assert/strict'
import { readFileSync, readdirSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { escapeHtml } from '../../../src/platform/http/html.ts'
import { isEmailAddress } from '../../../src/platform/resources/field-checks.ts'
import { headerLine, plainName } from '../../../src/platform/mail/layout.ts'
import type { TemplateName } from '../../../src/platform/mail/templates.ts'
import { LANGUAGES } from '../../../src/platform/facts/languages.ts'
import { parseSender, type Message } from '../../../src/platform/mail/message.ts'
import { createOutboxFolder, readOutbox } from '../../../src/platform/mail/outbox-folder.ts'
import { toTerminal } from '../../../src/platform/mail/mails.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { createSmtp, parseSmtpUrl } from '../../../src/platform/mail/smtp.ts'
import { freshDataDir } from '../../support/program.ts'
import { eventually } from '../../support/world.ts'
import {
  NOW_MS,
  openLines,
  openMails,
  openSmtpServer,
  ORIGIN,
  sendAll,
  TOKEN,
} from '../../support/mail-world.ts'

const TO = 'owner@example.com'

function messageOf(template: TemplateName, date = new Date(NOW_MS)): Message {
  const from = { name: '', address: 'signpost@localhost' }
  return { template, to: TO, from, subject: 'x', link: null, text: 'x', html: 'x', date }
}

/** Resolves when a folder holds that many mails. Closing waits for them, but for five seconds only. */
async function filled(folder: string, mails: number): Promise<void> {
  await eventually(async () =>
    assert.equal(readdirSync(folder).filter((name) => name.endsWith('.eml')).length, mails),
  )
}

test('without SMTP each mail is a file of the owner alone, and the log says where but not what', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const { mails, lines } = openMails(t, { outboxDir })
  const sent = sendAll(mails, TO)
  await filled(outboxDir, sent)
  await mails[Symbol.asyncDispose]()

  const files = readdirSync(outboxDir).toSorted()
  assert.equal(files.length, sent)
  assert.equal(statSync(outboxDir).mode & 0o777, 0o700)
  for (const name of files) assert.equal(statSync(join(outboxDir, name)).mode & 0o777, 0o600)
  assert.match(files[0]!, /^20260301T093000\.000Z-000001-verifyEmail-[0-9a-f]{6}\.eml$/)

  const first = readFileSync(join(outboxDir, files[0]!), 'utf8')
  const link = `${ORIGIN}/v1/auth/verify-email?token=${TOKEN}`
  assert.ok(first.split('\r\n').includes(link), 'the link is in the file unchanged')
  const mail = await PostalMime.parse(first)
  assert.equal(mail.subject, 'Confirm your e-mail address')
  assert.equal(mail.from?.address, 'signpost@links.example.com')
  assert.equal(mail.from?.name, 'Signpost')
  assert.equal(mail.to?.[0]?.address, TO)
  assert.equal(new Date(mail.date!).getTime(), NOW_MS)
  assert.ok(mail.html?.includes(`href="${link}"`))

  const said = lines.join('')
  assert.ok(said.includes(TO) && said.includes(join(outboxDir, files[0]!)))
  assert.ok(!said.includes(TOKEN) && !said.includes('/v1/auth/'))
})

test('a terminal shows the link of each mail, and a pipe shows none', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const shown: string[] = []
  const write = (text: string) => shown.push(text) > 0
  const pipe = { isTTY: false, write: () => assert.fail('it is a pipe') }
  assert.equal(toTerminal(pipe, null), null)
  assert.equal(toTerminal({ ...pipe, isTTY: true }, 'json'), null)
  const { mails, lines } = openMails(t, {
    outboxDir,
    showLink: toTerminal({ isTTY: true, write }, null),
  })
  const sent = sendAll(mails, TO)
  await filled(outboxDir, sent)
  await mails[Symbol.asyncDispose]()
  const said = shown.join('')
  for (const page of ['verify-email', 'reset-password', 'invitation', 'change-email'])
    assert.ok(said.includes(`\n  ${ORIGIN}/v1/auth/${page}?token=${TOKEN}\n`), page)
  assert.match(said, /Mail to owner@example\.com: Confirm your e-mail address\n/)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(said, /[\u0000-\u0009\u001b]/)
  assert.ok(!lines.join('').includes(TOKEN))
})

test('the newest mails of an outbox are read with their links, the newest first', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  assert.deepEqual(await readOutbox(outboxDir, 10), [])
  const { mails } = openMails(t, { outboxDir })
  const sent = sendAll(mails, TO)
  await filled(outboxDir, sent)
  writeFileSync(join(outboxDir, 'notes.txt'), 'no mail')
  const all = await readOutbox(outboxDir, 100)
  assert.equal(all.length, sent)
  assert.deepEqual(await readOutbox(outboxDir, 2), all.slice(0, 2))
  const { file, ...oldest } = all.at(-1)!
  assert.match(file, /-000001-verifyEmail-/)
  assert.deepEqual(oldest, {
    sentAt: '2026-03-01T09:30:00.000Z',
    to: TO,
    subject: 'Confirm your e-mail address',
    link: `${ORIGIN}/v1/auth/verify-email?token=${TOKEN}`,
  })
  assert.equal(all[0]!.link, null)
})

test('the outbox keeps its newest mails and nothing else is touched', async (t) => {
  const folder = freshDataDir(t)
  writeFileSync(join(folder, 'notes.eml'), 'kept')
  const outbox = createOutboxFolder({ folder, log: openLog('silent'), maxFiles: 5 })
  for (let n = 0; n < 12; n++) outbox.send(messageOf('passwordChanged', new Date(NOW_MS + (n % 3))))
  await outbox.close(60_000)
  const files = readdirSync(folder).toSorted()
  assert.equal(files.length, 6)
  assert.ok(files.includes('notes.eml'))
  assert.ok(files[0]!.startsWith('20260301T093000.001Z'))
})

test('the outbox keeps account mails apart from workspace mails', async (t) => {
  const folder = freshDataDir(t)
  const outbox = createOutboxFolder({ folder, log: openLog('silent'), maxFiles: 5 })
  const kinds = [
    'verifyEmail',
    'resetPassword',
    ...Array.from({ length: 9 }, () => 'webhookFailing'),
  ]
  for (const kind of [...kinds, ...Array.from({ length: 9 }, () => 'invitation')])
    outbox.send(messageOf(kind as TemplateName))
  await outbox.close(60_000)
  const left = readdirSync(folder).map((name) => name.split('-')[2])
  assert.deepEqual(left.toSorted(), [
    ...Array.from({ length: 5 }, () => 'invitation'),
    'resetPassword',
    'verifyEmail',
  ])
})

test('an outbox that cannot be written is an error line, and nothing is thrown', async (t) => {
  const folder = freshDataDir(t)
  writeFileSync(join(folder, 'outbox'), 'a file')
  const { mails, lines } = openMails(t, { outboxDir: join(folder, 'outbox') })
  mails.resetPassword(TO, { language: 'en', name: 'Owner', token: TOKEN })
  await eventually(async () => assert.match(lines.join(''), /cannot write mail/))
  assert.ok(!lines.join('').includes(TOKEN))
})

test('a missing outbox folder is created with its parents', async (t) => {
  const folder = freshDataDir(t)
  mkdirSync(join(folder, 'deep'))
  const { mails } = openMails(t, { outboxDir: join(folder, 'deep/er/outbox') })
  mails.accountDeleted(TO, { language: 'en', name: 'Owner' })
  await filled(join(folder, 'deep/er/outbox'), 1)
})

test('every mail arrives by SMTP as text and HTML that say the same link', async (t) => {
  const server = await openSmtpServer()
  t.after(server.close)
  const { mails, lines } = openMails(t, {
    outboxDir: join(freshDataDir(t), 'outbox'),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    mailFrom: 'Links <no-reply@example.com>',
  })
  const sent = sendAll(mails, TO, '<b>Ünï & "Co"</b>')
  await eventually(async () => assert.equal(server.received.length, sent))

  for (const { from, to, mail } of server.received) {
    assert.equal(from, 'no-reply@example.com')
    assert.deepEqual(to, [TO])
    assert.equal(mail.to?.length, 1)
    assert.equal(mail.cc, undefined)
    assert.deepEqual(mail.from, { name: 'Links', address: 'no-reply@example.com' })
    assert.ok(mail.headers.some((header) => header.key === 'auto-submitted'))
    assert.ok(!mail.html!.includes('<b>') && !/<(script|img|table|link)\b/.test(mail.html!))
    assert.ok(!mail.html!.includes('b=<2>'))
    for (const link of mail.text!.match(/https:\/\/links\S+/g) ?? []) {
      assert.ok(mail.html!.includes(escapeHtml(link)), link)
      assert.match(link, /^https:\/\/links\.example\.com\/(v1|app)\//)
    }
  }
  const byKind = (subject: RegExp) =>
    server.received.find(({ mail }) => subject.test(mail.subject!))!.mail.text!
  assert.ok(byKind(/new password/).includes(`${ORIGIN}/v1/auth/reset-password?token=${TOKEN}`))
  assert.ok(byKind(/Approve/).includes(`${ORIGIN}/v1/auth/change-email?token=${TOKEN}`))
  assert.ok(byKind(/new e-mail/).includes(`${ORIGIN}/v1/auth/change-email?token=${TOKEN}`))
  const invitation = byKind(/Invitation/)
  assert.ok(invitation.includes(`${ORIGIN}/v1/auth/invitation?token=${TOKEN}`))
  assert.ok(!lines.join('').includes(TOKEN))
})

test('credentials of SMTP_URL are decoded, used, and never logged', async (t) => {
  const seen: string[] = []
  const server = await openSmtpServer({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      seen.push(`${username} ${password}`)
      if (seen.length === 1) done(new Error(`no such user ${username} ${password}`))
      else done(null, { user: username })
    },
  })
  t.after(server.close)
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://us%40er:p%40ss%2Fword@127.0.0.1:${server.port}`,
    retryDelaysMs: [20, 20, 20],
  })
  mails.verifyEmail(TO, { language: 'en', name: 'Owner', token: TOKEN })
  await eventually(async () => assert.equal(server.received.length, 1))
  assert.deepEqual([...new Set(seen)], ['us@er p@ss/word'])
  assert.equal(server.received[0]!.user, 'us@er')
  assert.match(lines.join(''), /another attempt follows/)
  assert.doesNotMatch(lines.join(''), /p@ss|p%40ss/)
})

test('mails of an outage arrive once the server is back, each once', async (t) => {
  const first = await openSmtpServer()
  const { port } = first
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${port}`,
    retryDelaysMs: [50, 400, ...Array.from({ length: 20 }, () => 3_000)],
  })
  mails.passwordChanged(TO, { language: 'en', name: 'Owner' })
  await eventually(async () => assert.equal(first.received.length, 1))
  await first.close()
  const sent = sendAll(mails, TO)
  await eventually(async () => assert.match(lines.join(''), /another attempt follows/))
  const second = await openSmtpServer({}, port)
  t.after(second.close)
  await eventually(async () => assert.equal(second.received.length, sent))
  assert.equal(new Set(second.received.map(({ mail }) => mail.subject)).size, sent)
  assert.ok(!lines.join('').includes(TOKEN))
})

test('a permanent refusal is not retried, and the server’s text is not logged', async (t) => {
  let offers = 0
  const server = await openSmtpServer({
    onData(stream, _session, done) {
      offers += 1
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const error = new Error(`5.7.1 spam: ${ORIGIN}/?token=${TOKEN}`)
        done(Object.assign(error, { responseCode: 554 }))
      })
    },
  })
  t.after(server.close)
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    retryDelaysMs: [5, 5, 5],
  })
  mails.resetPassword(TO, { language: 'en', name: 'Owner', token: TOKEN })
  await eventually(async () => assert.match(lines.join(''), /mail not sent/))
  assert.equal(offers, 1)
  assert.ok(!lines.join('').includes(TOKEN))
})

test('a mail is dropped after four failures, with one error line', async (t) => {
  const server = await openSmtpServer()
  await server.close()
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    retryDelaysMs: [5, 5, 5],
  })
  mails.resetPassword(TO, { language: 'en', name: 'Owner', token: TOKEN })
  await eventually(async () => assert.match(lines.join(''), /mail not sent/))
  const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level)
  assert.deepEqual(levels, ['warn', 'warn', 'warn', 'error'])
})

test('a transport that closes waits for queued mails and refuses new ones', async (t) => {
  const server = await openSmtpServer()
  t.after(server.close)
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
  })
  const sent = sendAll(mails, TO)
  const closedAt = performance.now()
  await mails[Symbol.asyncDispose]()
  const haveArrived = async () => assert.equal(server.received.length, sent)
  // It waits for five seconds at most.
  await (performance.now() - closedAt < 5_000 ? haveArrived() : eventually(haveArrived))
  mails.accountDeleted(TO, { language: 'en', name: 'Owner' })
  assert.match(lines.at(-1)!, /mail not sent/)
})

test('a full queue refuses further mails and logs each one', async (t) => {
  const server = await openSmtpServer()
  await server.close()
  const { log, lines } = openLines()
  const smtp = createSmtp({
    url: `smtp://127.0.0.1:${server.port}`,
    ownName: null,
    log,
    retryDelaysMs: [60_000],
    maxQueued: 3,
  })
  t.after(() => smtp.close(5_000))
  for (let n = 0; n < 5; n++) smtp.send(messageOf('accountDeleted'))
  assert.equal(lines.filter((line) => line.includes('the queue is full')).length, 2)
})

test('any number of workspace mails neither displaces nor delays account mails', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const received: string[] = []
  const server = await openSmtpServer({
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const subject = /^Subject: (.*)$/m.exec(String(Buffer.concat(chunks)))![1]!
        const isHeld = subject.includes('workspace')
        void (isHeld ? released : Promise.resolve()).then(() => {
          received.push(subject)
          done()
        })
      })
    },
  })
  t.after(server.close)
  const { mails, lines } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    retryDelaysMs: Array.from({ length: 50 }, () => 100),
  })
  const facts = {
    ...{ language: undefined, workspaceName: 'w', inviterName: 'i', role: 'member' as const },
    token: TOKEN,
  }
  const taken = Array.from({ length: 1_100 }, () => mails.invitation(TO, facts))
  assert.equal(taken.filter(Boolean).length, 1_000)
  assert.equal(lines.filter((line) => line.includes('the queue is full')).length, 100)
  assert.ok(mails.verifyEmail(TO, { language: 'en', name: 'Owner', token: TOKEN }))
  assert.ok(mails.resetPassword(TO, { language: 'en', name: 'Owner', token: TOKEN }))
  await eventually(async () =>
    assert.deepEqual(received.toSorted(), ['Choose a new password', 'Confirm your e-mail address']),
  )
  release()
  await eventually(async () => assert.ok(received.length > 20))
})

test('a failure mail names hosts, statuses and errors, and nothing in it can be clicked', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const { mails } = openMails(t, { outboxDir })
  const failingSince = new Date(NOW_MS)
  mails.webhookFailing(TO, {
    language: 'en',
    name: 'Owner',
    workspaceName: 'Your bank account is locked, see https://evil.example/x',
    endpoints: [
      {
        endpointId: 'whe_1',
        host: 'evil.example',
        failingSince,
        autoPausedAt: null,
        status: 503,
        error: null,
      },
      {
        endpointId: 'whe_2',
        host: 'b.example:81',
        failingSince,
        autoPausedAt: null,
        status: null,
        error: 'timeout',
      },
    ],
    unlistedCount: 7,
  })
  mails.approveEmailChange(TO, {
    language: 'en',
    name: 'Owner',
    newEmail: 'evil@evil.example',
    token: TOKEN,
  })
  await filled(outboxDir, 2)
  const [failing, approval] = await Promise.all(
    readdirSync(outboxDir)
      .toSorted()
      .map((name) => PostalMime.parse(readFileSync(join(outboxDir, name)))),
  )
  assert.equal(failing!.subject, 'Webhook deliveries keep failing')
  const readable = failing!.text!.replaceAll('\u2060', '')
  assert.match(readable, /evil\.example \(whe_1\): status 503 at the last attempt/)
  assert.match(readable, /b\.example:81 \(whe_2\): no answer \(timeout\).*2026-03-01 09:30 UTC/)
  assert.match(readable, /And 7 more\./)
  for (const mail of [failing!, approval!]) {
    assert.doesNotMatch(mail.text!, /evil\.example|@evil/)
    assert.doesNotMatch(mail.html!, /href="(?!https:\/\/links\.example\.com\/)/)
  }
})

test('the mails about a new password say that other ways in stay, and where to check them', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const { mails } = openMails(t, { outboxDir })
  mails.resetPassword(TO, { language: 'en', name: 'Owner', token: TOKEN })
  mails.passwordChanged(TO, { language: 'en', name: 'Owner' })
  await filled(outboxDir, 2)
  for (const name of readdirSync(outboxDir)) {
    const { text } = await PostalMime.parse(readFileSync(join(outboxDir, name)))
    assert.match(text!, /API keys, passkeys, and linked accounts/)
    assert.match(text!, /in the settings of your account and workspaces/)
  }
})

const NO_ADDRESSES = [
  'a@b.example\r\nBcc: evil@example.com',
  'a@b.example\nX-Header: 1',
  'a@b.example, evil@example.com',
  'a@b.example;evil@example.com',
  'a@b.example evil@example.com',
  '<a@b.example>',
  'A <a@b.example>',
  '"a"@b.example',
  'a@b@c.example',
  'a@b.example\u0000',
  'a@b.example\u2028Bcc: x@y.example',
  'a\u202e@b.example',
  '\ud800@b.example',
  '@b.example',
  'a@',
  '',
  `${'x'.repeat(65)}@b.example`,
  `a@${'x'.repeat(260)}`,
]

test('only a single valid address is sent a mail', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const { mails, lines } = openMails(t, { outboxDir })
  for (const to of NO_ADDRESSES) {
    assert.equal(isEmailAddress(to), false, JSON.stringify(to))
    mails.passwordChanged(to, { language: 'en', name: 'Owner' })
  }
  mails.passwordChanged('ü@exämple.example', { language: 'en', name: 'Owner' })
  await filled(outboxDir, 1)
  await mails[Symbol.asyncDispose]()
  assert.equal(readdirSync(outboxDir).length, 1)
  assert.equal(
    lines.filter((line) => line.includes('invalid recipient')).length,
    NO_ADDRESSES.length,
  )
})

const HOSTILE_NAMES: readonly string[] = [
  'X\r\nBcc: evil@example.com',
  'X\nContent-Type: text/html\n\n<script>alert(1)</script>',
  'X\u2028Bcc: evil@example.com',
  'X\u0000\u0007\u001b[31m',
  '\u202eevil',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '=?UTF-8?Q?=0D=0ABcc:_evil@example.com?=',
  'You won! https://evil.example/x www.evil.example mailto:evil@example.com',
  'x'.repeat(5_000),
  '\ud800broken',
]

test('a hostile name makes no header, no markup, no link and no long mail', async (t) => {
  const server = await openSmtpServer()
  t.after(server.close)
  const { mails } = openMails(t, {
    outboxDir: freshDataDir(t),
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
  })
  let sent = 0
  for (const name of HOSTILE_NAMES) {
    mails.verifyEmail(TO, { language: 'en', name, token: TOKEN })
    mails.invitation(TO, {
      language: 'en',
      workspaceName: name,
      inviterName: name,
      role: 'member',
      token: TOKEN,
    })
    sent += 2
  }
  await eventually(async () => assert.equal(server.received.length, sent))
  for (const { to, mail } of server.received) {
    assert.deepEqual(to, [TO])
    assert.equal(mail.bcc, undefined)
    assert.equal(mail.headers.filter((header) => header.key === 'content-type').length, 1)
    assert.doesNotMatch(mail.subject ?? '', /[\p{Cc}\u2028\u202e]/u)
    assert.doesNotMatch(mail.html!, /<script|<img|onerror=[^&]*>|<[^>]*onmouseover/)
    assert.doesNotMatch(mail.text!, /\p{Cc}(?<![\r\n])|\u2028|\u202e/u)
    assert.doesNotMatch(mail.text!, /https:\/\/evil|www\.evil|evil@example/)
    assert.ok(mail.text!.length < 2_000)
  }
})

test('every mail exists in every language, and Arabic ones run from right to left', async (t) => {
  const outboxDir = join(freshDataDir(t), 'outbox')
  const { mails } = openMails(t, { outboxDir })
  for (const language of LANGUAGES) {
    const to = `${language}@example.com`
    const count = sendAll(mails, to, 'Ada', language)
    await filled(outboxDir, count * (LANGUAGES.indexOf(language) + 1))
  }
  const sent = await Promise.all(
    readdirSync(outboxDir).map((name) => PostalMime.parse(readFileSync(join(outboxDir, name)))),
  )
  assert.equal(new Set(sent.map(({ subject }) => subject)).size, sent.length)
  for (const { to, subject, html, text } of sent) {
    const isArabic = to![0]!.address === 'ar@example.com'
    assert.equal(/<div class="card" dir="rtl"/.test(html!), isArabic)
    assert.doesNotMatch(`${subject} ${text}`, /undefined|\[object|[^\n]#/)
  }
})

test('ordinary names stay as they are', () => {
  for (const name of ['Owner', 'J. R. Owner', 'O’Brien-Łucja', '漢字', 'Owner & Sons, Ltd.'])
    assert.equal(plainName(name), name)
  assert.equal(headerLine('a\r\n b\tc'), 'a b c')
})

test('a sender is one address with or without a name', () => {
  assert.deepEqual(parseSender('A B <a@b.example>'), { name: 'A B', address: 'a@b.example' })
  assert.deepEqual(parseSender('"A B" <a@b.example>'), { name: 'A B', address: 'a@b.example' })
  assert.deepEqual(parseSender('a@b.example'), { name: '', address: 'a@b.example' })
  for (const bad of ['', 'A', 'a@b, c@d', 'A <a@b>, B <c@d>', 'A <a@b\r\nBcc: c@d>'])
    assert.equal(parseSender(bad), null, bad)
})

test('links and sender follow the configured origin, an address without a name excepted', async (t) => {
  for (const [origin, sender] of [
    ['http://localhost:3000', 'signpost@localhost'],
    ['http://127.0.0.1:3000', 'signpost@localhost'],
    ['http://[::1]:3000', 'signpost@localhost'],
    ['https://go.example.com', 'signpost@go.example.com'],
  ] as const) {
    const outboxDir = freshDataDir(t)
    const { mails } = openMails(t, { outboxDir, publicOrigin: () => origin })
    mails.verifyEmail(TO, { language: 'en', name: '', token: TOKEN })
    await filled(outboxDir, 1)
    await mails[Symbol.asyncDispose]()
    const [file] = readdirSync(outboxDir)
    const mail = await PostalMime.parse(readFileSync(join(outboxDir, file!)))
    assert.equal(mail.from?.address, sender)
    assert.match(mail.text!, /^Hello,/)
    assert.ok(mail.text!.includes(`${origin}/v1/auth/verify-email?token=`))
  }
})

test('a password crosses a network under TLS only', () => {
  const shown = (url: string) => {
    const { host, port, secure, requireTLS } = parseSmtpUrl(url)
    return `${host} ${port} ${secure ? 'tls' : requireTLS ? 'starttls' : 'either'}`
  }
  assert.equal(shown('smtp://mail.example.com'), 'mail.example.com 587 either')
  assert.equal(shown('smtp://u:p@mail.example.com'), 'mail.example.com 587 starttls')
  assert.equal(shown('smtp://u:p@localhost:25'), 'localhost 25 either')
  assert.equal(shown('smtp://u:p@[::1]:25/'), '::1 25 either')
  assert.equal(shown('smtps://u:p@mail.example.com'), 'mail.example.com 465 tls')
  assert.equal(shown('smtp://u:p@127.example.com:2525'), '127.example.com 2525 starttls')
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { COMMAND_HELP } from '../../src/operator/command-line/help.ts'
import { callServer } from '../../src/operator/socket.ts'
import { freshDatabases } from '../support/engines.ts'
import { freshDataDir, runCli } from '../support/program.ts'
import { eventually, openWorld } from '../support/world.ts'
import { selectRows } from '../support/click-rows.ts'

/** A program in this process, and the command line that reaches it through its socket. */
async function openOperator(t: TestContext) {
  const dataDir = freshDataDir(t)
  const config = { dataDir, webhookAllowHttp: true, egressAllowedCidrs: ['127.0.0.0/8'] }
  const world = await openWorld(t, { config, isClockReal: true })
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { DATA_DIR: dataDir })
    return { code, stdout, stderr }
  }
  /** The request of the command line to a running server, without the time of a process. */
  const ask = async (name: string, input: object) =>
    // eslint-disable-next-line typescript/no-explicit-any
    (await callServer(dataDir, name, input)) as any
  /** Audit actions of the command line, which have no user. */
  const trail = async (workspaceId: string) => {
    const rows = await world.sql`
      select action from audit_log
      where workspace_id = ${workspaceId} and actor_type = 'system' and actor_id = 'operator'
      order by created_at, ctid`
    return rows.map((row) => String(row['action']))
  }
  return { ...world, world, dataDir, cli, ask, trail }
}

async function openReceiver(t: TestContext) {
  let calls = 0
  const server = createServer((_req, res) => {
    calls++
    res.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, calls: () => calls }
}

test('the operator’s commands beside a running server', { concurrency: false }, async (t) => {
  const operator = await openOperator(t)
  const { world, cli, ask, trail, sql, dataDir } = operator
  const receiver = await openReceiver(t)
  const member = await world.member()
  const id = member.workspaceId
  const made = await member.post('/links', { name: 'One', destinationUrl: 'https://example.com/' })
  const { slug } = made.body.data
  const follow = () => world.call('GET', `/${slug}`, { redirect: 'manual' })

  await t.test('a suspension refuses credentials, answers links with 410, and ends', async () => {
    await eventually(async () => assert.equal((await follow()).status, 302))
    const endpoint = await member.post('/webhooks', { url: receiver.url, events: ['*'] })
    assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
    const path = `/webhooks/endpoints/${endpoint.body.data.id}/test`
    const tested = await member.post(path, {})
    assert.equal(tested.status, 202, JSON.stringify(tested.body))
    await eventually(async () => assert.ok(receiver.calls() > 0))

    const done = await cli('suspend', id, '--reason', 'Unpaid')
    assert.equal(done.code, 0, done.stderr)
    await eventually(async () => {
      assert.equal((await follow()).status, 410)
      assert.equal((await member.get('/links')).status, 403)
    })
    const page = await fetch(`${world.origin}/${slug}`, { redirect: 'manual' })
    assert.match(await page.text(), /out of service/)
    const heldCalls = receiver.calls()
    await sql`
      insert into webhook_queue (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      select 'del_held', workspace_id, ${endpoint.body.data.id}, id, created_at, type, now(), now()
      from events where workspace_id = ${id} limit 1`
    await sql`update webhook_lanes set ready_at = now() where workspace_id = ${id}`
    // The lane is taken up, finds nothing that it may send, and sleeps.
    await eventually(async () => {
      const [lane] = await sql`select owner, ready_at from webhook_lanes where workspace_id = ${id}`
      assert.deepEqual([lane!['owner'], lane!['readyAt']], [null, null])
    })
    const [held] = await sql`select status, attempts from webhook_queue where id = 'del_held'`
    assert.deepEqual([held!['status'], held!['attempts'], receiver.calls()], [0, 0, heldCalls])

    await assert.rejects(ask('suspend', { workspace: id }), /already suspended\.$/)
    assert.match((await cli('workspaces', '--search', id)).stdout, /suspended/)

    await ask('resume', { workspace: id })
    await eventually(async () => {
      assert.equal((await follow()).status, 302)
      assert.equal((await member.get('/links')).status, 200)
    })
    await eventually(async () => assert.ok(receiver.calls() > heldCalls))
    assert.deepEqual(await trail(id), ['workspace.suspended', 'workspace.resumed'])
    const rows = await sql`
      select type from security_log where workspace_id = ${id} and type like 'workspace.%' order by id`
    assert.equal(rows.length, 2)
  })

  await t.test('a plan and a rate limit act at once and leave audit rows', async () => {
    await ask('plan', { workspace: id, plan: 'pro' })
    const subscription = await member.get('/billing/subscription')
    assert.equal(subscription.body.data.plan, 'pro')
    await ask('rate-limit', { workspace: id, perMinute: 7 })
    await eventually(async () => {
      const { headers } = await member.get('/links')
      assert.equal(headers.get('x-ratelimit-limit'), '7')
    })
    await ask('rate-limit', { workspace: id, perMinute: null })
    await eventually(async () => {
      const { headers } = await member.get('/links')
      assert.notEqual(headers.get('x-ratelimit-limit'), '7')
    })
    assert.deepEqual((await trail(id)).slice(2), [
      'billing.plan_changed',
      'workspace.rate_limit_set',
      'workspace.rate_limit_set',
    ])
  })

  await t.test('workspaces are listed, bounded, and found by name, id and member', async () => {
    const email = 'Found@Example.com'
    const other = await world.app.bootstrap.create({ email, workspace: 'A needle' })
    const { workspaces, total } = await ask('workspaces', {})
    assert.equal(total, workspaces.length)
    const own = workspaces.find((each: { id: string }) => each.id === id)
    assert.deepEqual([own.plan, own.members, own.links, own.suspendedAt], ['pro', 1, 1, null])
    for (const search of ['needle', 'found@example.com', other.workspaceId]) {
      const found = await ask('workspaces', { search })
      assert.deepEqual([found.total, found.workspaces[0].id], [1, other.workspaceId])
    }
  })

  await t.test('an export is a new file that only its owner reads', async () => {
    const file = join(operator.dataDir, 'export.json')
    const done = await cli('export-account', 'found@example.com', '--to', file)
    assert.equal(done.code, 0, done.stderr)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).user.email, 'Found@Example.com')
  })

  await t.test('bootstrap says that the running server did it', async () => {
    const { stderr } = await cli('bootstrap', '--email', 'b@example.com', '--json')
    const [first] = stderr.split('\n')
    assert.equal(first, `signpost: done by the running server of ${operator.dataDir}.`)
  })

  await t.test('the newest mails are printed with their links', async () => {
    for (const email of ['one@example.com', 'two@example.com']) {
      const account = { name: 'New', email, password: 'quiet harbour lamp' }
      const answer = await world.call('POST', '/v1/auth/sign-up/email', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      })
      assert.equal(answer.status, 201)
      await world.outbox.next(email)
    }
    const newest = await cli('mails', '--limit', '1')
    assert.equal(newest.code, 0, newest.stderr)
    assert.match(
      newest.stdout,
      /two@example\.com {2}Confirm your e-mail address\n {2}http\S+\/verify-email\?token=\S{43}\n/,
    )
    assert.doesNotMatch(newest.stdout, /one@example/)
    const { folder, mails } = JSON.parse((await cli('mails', '--json')).stdout)
    assert.equal(folder, join(dataDir, 'outbox'))
    assert.deepEqual(
      mails.map(({ to }: { to: string }) => to),
      ['two@example.com', 'one@example.com'],
    )
    for (const limit of ['0', '101', 'x']) {
      const refused = await cli('mails', '--limit', limit)
      assert.deepEqual(
        [refused.code, refused.stderr],
        [1, 'signpost: mails takes a --limit from 1 to 100.\n'],
      )
    }
  })

  await t.test('bad input is one sentence and exit code 1', async () => {
    for (const [name, input] of [
      ['bootstrap', { email: 'a@example.com', password: 'short' }],
      ['suspend', { workspace: 'wsp_none' }],
      ['suspend', { workspace: id, reason: 'two\nlines' }],
      ['resume', { workspace: id }],
      ['plan', { workspace: id, plan: 'gold' }],
      ['rate-limit', { workspace: id, perMinute: 0 }],
      ['purge', { workspace: 'wsp_none' }],
      ['export-account', { email: 'unknown@example.com' }],
      ['nothing', {}],
    ] as const)
      await assert.rejects(ask(name, input), { name: 'OperatorError', message: /^\S[^\n]*\.$/ })
    const lines = [
      ['purge', id],
      ['rate-limit', id, 'much'],
      ['workspaces', '--nothing'],
    ]
    for (const { code, stdout, stderr } of await Promise.all(lines.map((args) => cli(...args)))) {
      assert.deepEqual([code, stdout, stderr.trim().split('\n').length], [1, '', 1])
      assert.match(stderr, /^signpost: .+\n$/)
    }
  })

  await t.test('verify tells a whole audit log from a changed one', async () => {
    assert.equal((await ask('verify', {})).brokenTotal, 0)
    await sql`alter table audit_log disable trigger append_only`
    const [row] = await sql`
      update audit_log set action = 'nothing.happened' where id = (
        select id from audit_log where workspace_id = ${id} order by id limit 1) returning id`
    const changed = await cli('verify')
    assert.equal(changed.code, 1)
    assert.match(changed.stdout, new RegExp(`BROKEN  ${id}  ${String(row!['id'])}  `))
  })

  await t.test('a purge leaves nothing but a line about itself', async () => {
    await ask('purge', { workspace: id })
    assert.equal((await sql`select 1 from workspaces where id = ${id}`).length, 0)
    assert.equal((await sql`select 1 from links where workspace_id = ${id}`).length, 0)
    await eventually(async () => {
      assert.equal((await follow()).status, 404)
      assert.equal((await member.get('/links')).status, 401)
    })
    const [row] = await sql`
      select details from security_log where type = 'workspace.deleted' and actor_id = 'operator'`
    assert.equal((row!['details'] as { workspaceId: string }).workspaceId, id)
  })
})

test('a workspace that its owner deletes is gone from both databases and from the edge', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const id = owner.workspaceId
  const made = await owner.post('/links', { name: 'One', destinationUrl: 'https://example.com/' })
  const follow = () => world.call('GET', `/${made.body.data.slug}`, { redirect: 'manual' })
  await eventually(async () => assert.equal((await follow()).status, 302))
  const clicks = async () => {
    const query = 'select count() as n from clicks where workspace_id = {id:String}'
    const [row] = await selectRows<{ n: number }>(world.clickhouse, query, { id })
    return row!.n
  }
  await eventually(async () => assert.equal(await clicks(), 1))
  const { body } = await owner.get(`/workspaces/${id}`)
  const askedAt = performance.now()
  const answer = await world.call('DELETE', `/v1/workspaces/${id}`, {
    headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: body.data.name }),
  })
  assert.equal(answer.status, 204, JSON.stringify(answer.body))
  const isGone = async () => {
    assert.equal((await world.sql`select 1 from workspaces where id = ${id}`).length, 0)
    assert.equal(await clicks(), 0)
  }
  // The answer waits five seconds for it at most.
  await (performance.now() - askedAt < 5_000 ? isGone() : eventually(isGone))
  await eventually(async () => {
    assert.equal((await follow()).status, 404)
    assert.equal((await owner.get('/links')).status, 401)
  })
})

test('the commands open the databases themselves when no server runs', async (t) => {
  const { postgresUrl, clickhouseUrl, sql } = await freshDatabases(t)
  const env = {
    DATA_DIR: freshDataDir(t),
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
  }
  const made = await runCli(['bootstrap', '--email', 'a@example.com', '--json'], env)
  assert.equal(made.code, 0, made.stderr)
  const { workspaceId } = JSON.parse(made.stdout)
  assert.match(made.stderr, / http:\/\/localhost:3000\/v1\/auth\/reset-password\?token=/)
  const suspended = await runCli(['suspend', workspaceId], env)
  assert.equal(suspended.code, 0, suspended.stderr)
  const [row] = await sql`select suspended_at from workspaces where id = ${workspaceId}`
  assert.ok(row!['suspendedAt'])
  const piped = await runCli(['bootstrap', '--email', 'b@example.com', '--password-stdin'], env, {
    input: 'quiet harbour lamp\n',
  })
  assert.equal(piped.code, 0, piped.stderr)
  assert.match(piped.stderr, new RegExp(`no server runs on .*${env.DATA_DIR}`))
  assert.doesNotMatch(piped.stdout, /reset-password/)
})

test('each command explains itself, and says in a sentence what is wrong with its arguments', async () => {
  const whole = await runCli(['help'], {})
  for (const name of Object.keys(COMMAND_HELP))
    assert.match(whole.stdout, new RegExp(`^  ${name}( |$)`, 'm'))
  const [byHelp, byOption] = await Promise.all([
    runCli(['help', 'bootstrap'], {}),
    runCli(['bootstrap', '--help'], {}),
  ])
  assert.equal(byHelp.code, 0)
  assert.match(byHelp.stdout, /^Usage: npm run -s signpost -- bootstrap --email ADDRESS/)
  assert.equal(byOption.stdout, byHelp.stdout)
  const wrong: [args: string[], sentence: RegExp][] = [
    [['nosuch'], /There is no command "nosuch"/],
    [['help', 'nosuch'], /There is no command "nosuch"/],
    [['purge', '--foo'], /purge has no option --foo; "help purge"/],
    [['verify', 'all'], /verify takes no argument "all"/],
    [['ship', '--dir'], /ship: --dir needs a value/],
    [['workspaces', '--json=1'], /workspaces: --json takes no value/],
    [['bootstrap', '--email', 'a@example.com', '--password-stdin', '--password', 'x'], /not both/],
  ]
  for (const [args, sentence] of wrong) {
    const { code, stdout, stderr } = await runCli(args, {})
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
})

test('a command in a directory without data says so, and makes none', async (t) => {
  const empty = freshDataDir(t)
  const absent = join(empty, 'elsewhere')
  for (const [command, dataDir] of [
    ['verify', absent],
    ['workspaces', empty],
  ] as const) {
    const { code, stdout, stderr } = await runCli([command], { DATA_DIR: dataDir })
    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(
      stderr,
      `signpost: There is no data in ${dataDir}; set DATA_DIR (or DATABASE_URL) as the server has it.\n`,
    )
    assert.deepEqual(readdirSync(empty), [])
  }
})

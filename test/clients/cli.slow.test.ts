import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { EXIT, run } from '../../clients/cli/src/run.ts'
import { sparkLine } from '../../clients/cli/src/numbers.ts'
import { verify } from '../../clients/typescript/src/webhooks.ts'
import { eventually, until } from '../support/eventually.ts'
import { freshFolder } from '../support/fixtures.ts'
import { openReceiver } from '../support/receiver.ts'
import { callsWith, openWorld } from '../support/world.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A terminal with a home of its own. */
function openTerminal(env: Record<string, string> = {}, { isTerminal = false } = {}) {
  const home = freshFolder()
  const start = (line: string, input = '') => {
    const [stop, output, notes] = [new AbortController(), [] as string[], [] as string[]]
    const opened: string[] = []
    const ended = run(line.split(' '), {
      env: { XDG_CONFIG_HOME: home, ...env },
      write: (text) => void output.push(text),
      note: (text) => void notes.push(text),
      async *lines() {
        yield* input.split('\n')
      },
      isTerminal,
      openInBrowser: (url) => void opened.push(url),
      signal: stop.signal,
    })
    return { ended, output, notes, opened, stop: () => stop.abort() }
  }
  return {
    home,
    start,
    async run(line: string, input?: string) {
      const { ended, output, notes } = start(line, input)
      const code = await ended
      return { code, out: output.join('\n'), err: notes.join('\n') }
    },
  }
}

test('the command line against a running server', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const terminal = openTerminal()
  const json = async (line: string) => {
    const { code, out, err } = await terminal.run(`${line} --json`)
    assert.equal(code, EXIT.done, err)
    return JSON.parse(out)
  }
  const destination = 'https://example.com/docs'

  await t.test('signs in once, with a file that nobody else can read', async () => {
    const early = await terminal.run('links ls')
    assert.equal(early.code, EXIT.misused)
    assert.match(early.err, /You are not signed in: run "signpost login/)
    const refused = await terminal.run(`login --url ${world.origin}`, 'sp_unknown')
    assert.equal(refused.code, EXIT.failed)
    assert.match(refused.err, /create another in the settings/)
    const { code, err } = await terminal.run(`login --url ${world.origin}`, `${owner.apiKey}\n`)
    assert.equal(code, EXIT.done, err)
    const file = join(terminal.home, 'signpost/account.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(!(await terminal.run('links ls')).err.includes(owner.apiKey))
  })

  await t.test('shortens, lists, shows, changes and deletes a link', async () => {
    const image = join(terminal.home, 'code.svg')
    const made = await terminal.run(`shorten ${destination} --slug docs --qr-file ${image}`)
    assert.match(made.out, /^http\S+\/docs$/)
    assert.match(readFileSync(image, 'utf8'), /<svg/)
    assert.match((await terminal.run('links ls')).out, /\/docs +0 +https:\/\/example\.com\/docs$/)
    const link = await json('links get docs')
    assert.deepEqual([link.name, link.destinationUrl], ['example.com/docs', destination])
    assert.equal((await json(`links get ${link.shortUrl}`)).id, link.id)
    const edited = await json(`links edit docs --to https://example.com/manual --tags a,b`)
    assert.deepEqual(
      [edited.destinationUrl, edited.tags],
      ['https://example.com/manual', ['a', 'b']],
    )
    assert.equal((await json('links ls --tag a --limit 1')).length, 1)
    const taken = await terminal.run(`shorten ${destination} --slug docs`)
    assert.equal(taken.code, EXIT.failed)
    assert.match(taken.err, /^signpost: .*slug.*\(req_\w+\)$/)
    await json(`links rm ${link.id}`)
    const gone = await terminal.run('links get docs')
    assert.match(gone.err, /There is no link "docs": give its id, slug or short URL/)
  })

  await t.test('shows clicks as they happen, and the numbers of a link', async () => {
    await json(`shorten ${destination} --slug seen`)
    const tail = terminal.start('tail --link seen')
    await eventually(async () => {
      const visit = { redirect: 'manual', headers: { 'user-agent': BROWSER } } as const
      if (tail.output.length === 0) await fetch(`${world.origin}/seen`, visit)
      assert.ok(tail.output.length > 0)
    })
    tail.stop()
    assert.equal(await tail.ended, EXIT.interrupted)
    assert.match(tail.output[0]!, /\/seen .*desktop {2}Firefox/)
    const { out } = await terminal.run('stats seen --days 7')
    assert.match(out, /\/seen {2}▁{6}█\n/)
    assert.match(out, /clicks +[1-9]\d* in 7 days, [1-9]\d* in all/)
    assert.ok((await json('stats seen')).totalClicks > 0)
  })

  await t.test('checks and imports a file', async () => {
    const file = join(terminal.home, 'links.csv')
    writeFileSync(file, `name,destinationUrl\nOne,${destination}\nTwo,nonsense\n`)
    const tried = await terminal.run(`import ${file} --dry-run`)
    assert.match(tried.out, /1 created, .* 1 failed \(dry run: nothing is written\)\nrow \d/)
    const done = await json(`import ${file}`)
    assert.deepEqual([done.created, done.failed], [1, 1])
    assert.match((await terminal.run('import missing.csv')).err, /missing\.csv cannot be read/)
  })

  await t.test('forwards events to a receiver, signed', async () => {
    const receiver = await openReceiver(t)
    const listening = terminal.start(`webhooks listen --forward ${receiver.url('/hook')}`)
    await until(() => listening.notes.length > 0)
    await json(`shorten ${destination} --slug told`)
    await until(() => listening.output.length > 0)
    listening.stop()
    assert.equal(await listening.ended, EXIT.interrupted)
    const [, secret] = /secret: (\S+)/.exec(listening.notes[0]!)!
    const { body, headers } = receiver.requests[0]!
    const event = await verify(body, headers, secret!)
    assert.ok(event.type === 'link.created' && event.data.slug === 'told')
  })

  await t.test('takes server and key from the environment', async () => {
    const env = { SIGNPOST_URL: world.origin, SIGNPOST_API_KEY: owner.apiKey }
    assert.equal((await openTerminal(env).run('links ls')).code, EXIT.done)
    const lost = await openTerminal({ ...env, SIGNPOST_URL: 'links.example.com' }).run('links ls')
    assert.equal(lost.code, EXIT.misused)
    assert.match(lost.err, /baseUrl must be the address/)
    await terminal.run('logout')
    assert.equal((await terminal.run('links ls')).code, EXIT.misused)
  })
})

test('login asks in the browser, and the key works until logout', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const session = await world.session(owner)
  const terminal = openTerminal({}, { isTerminal: true })
  const login = terminal.start(`login --url ${world.origin} --scopes links:write`)
  await until(() => login.opened.length > 0)
  const code = new URL(login.opened[0]!).searchParams.get('request')!
  assert.match(login.notes[0]!, new RegExp(`allow\\?request=${code}\n.*${code}`))
  const path = `/auth/oauth/requests/${code}/allow`
  const body = { workspaceId: owner.workspaceId, scopes: ['links:write'] }
  assert.equal((await session.post(path, body)).status, 200)
  assert.equal(await login.ended, EXIT.done, login.notes.join())
  const made = await terminal.run('shorten https://example.com/docs --qr')
  assert.equal(made.code, EXIT.done, made.err)
  assert.match(made.err, /^█{20,}\n██ ▄▄▄▄▄ █/m)
  const file = join(terminal.home, 'signpost/account.json')
  const { key } = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal((await terminal.run('logout')).code, EXIT.done)
  await eventually(async () =>
    assert.equal((await callsWith(key, world.origin).get('/links')).status, 401),
  )
})

test('login prompts nobody where there is no terminal', async () => {
  const terminal = openTerminal()
  const { code, err } = await terminal.run('login --url http://localhost:1')
  assert.equal(code, EXIT.misused)
  assert.match(err, /login needs --key KEY, or the key in the input/)
  const lost = await openTerminal({}, { isTerminal: true }).run('login --url http://localhost:1')
  assert.equal(lost.code, EXIT.failed)
  assert.match(lost.err, /There is no answer from http:\/\/localhost:1/)
})

test('an agent reaches the tools of the server over the input and output', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const command = [join(import.meta.dirname, '../../clients/cli/src/main.ts'), 'mcp']
  const connect = async (key: string, options: ClientOptions = {}) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, options)
    const env = { SIGNPOST_URL: world.origin, SIGNPOST_API_KEY: key }
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: command, env }),
    )
    t.after(() => client.close())
    return client
  }
  for (const mode of ['legacy', 'auto'] as const) {
    const client = await connect(owner.apiKey, { versionNegotiation: { mode } })
    const links = [{ name: 'Docs', destinationUrl: 'https://example.com/docs' }]
    const made = await client.callTool({ name: 'create_links', arguments: { links } })
    assert.ok(!made.isError, JSON.stringify(made))
    assert.equal((await client.listTools()).tools.length, 22)
    assert.match(JSON.stringify(await client.readResource({ uri: 'signpost://docs/mcp' })), /MCP/)
  }
  await assert.rejects(connect(`sp_${'x'.repeat(40)}`), /The API key is not valid/)
})

test('a mistake in a command is a sentence, and exit code 2', async () => {
  const terminal = openTerminal()
  for (const [line, message] of [
    ['fly', /There is no command "fly": see "signpost help"/],
    ['links fly', /There is no command "links fly"/],
    ['shorten', /The command is: signpost shorten URL/],
    ['links ls --color red', /Unknown option '--color'/],
    ['login', /login needs --url URL/],
    ['webhooks listen', /needs --forward URL/],
    ['completion tcsh', /not for "tcsh"/],
  ] as const) {
    const { code, err } = await terminal.run(line)
    assert.equal(code, EXIT.misused, line)
    assert.match(err, message)
  }
  const help = await terminal.run('help')
  assert.match(help.out, /^ {2}links ls +list links/m)
  assert.match((await terminal.run('shorten --help')).out, /--qr-file FILE +write its QR code/)
})

test('texts of others cannot control the terminal', async () => {
  const { plain, table } = await import('../../clients/cli/src/command.ts')
  assert.equal(plain('a\u001B]0;b\u0007\u202Ec'), 'a ]0;b c')
  assert.equal(table([['\u001Bx', 'y']]), ' x  y')
})

test('a spark line has its highest bar at the highest value', () => {
  assert.equal(sparkLine([0, 5, 10]), '▁▅█')
  assert.equal(sparkLine([0, 0]), '▁▁')
})

test('the completion of bash offers commands and options', async () => {
  const { out } = await openTerminal().run('completion bash')
  const complete = (words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${out}\nCOMP_WORDS=(${words.join(' ')} '')\nCOMP_CWORD=${words.length}\n_signpost\necho "\${COMPREPLY[@]}"`,
    ]).toString()
  assert.match(complete(['signpost']), /shorten.*links.*stats/)
  assert.match(complete(['signpost', 'links']), /ls get edit rm open/)
  assert.match(complete(['signpost', 'links', 'ls']), /--search --tag --limit --json/)
  for (const shell of ['zsh', 'fish'])
    assert.match((await openTerminal().run(`completion ${shell}`)).out, /shorten/)
})

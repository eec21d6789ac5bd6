import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freshFolder } from '../support/fixtures.ts'
import { openWorld } from '../support/world.ts'

const run = promisify(execFile)
const PACKAGES = ['dub==0.39.0', 'kutt==1.5.2']

const whyNot = await run('python3', ['-c', 'import venv']).then(
  () => false,
  () => 'needs python3 with venv',
)

test('the Python clients of Dub and Kutt work with the server', { skip: whyNot }, async (t) => {
  const folder = freshFolder()
  await run('python3', ['-m', 'venv', folder])
  const python = join(folder, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '-q', ...PACKAGES])
  const world = await openWorld(t, { isClockReal: true })
  const { apiKey: KEY } = await world.member()
  const { stdout } = await run(python, [join(import.meta.dirname, 'published_clients.py')], {
    env: { ...process.env, ORIGIN: world.origin, KEY },
  })
  assert.deepEqual(stdout.trim().split('\n'), [
    'test_links_of_dub',
    'test_other_resources_of_dub',
    'test_kutt',
  ])
})

/** Installs a package, and runs a program that prints one line of JSON. */
async function openPython(...packages: string[]) {
  const folder = freshFolder()
  await run('python3', ['-m', 'venv', folder])
  const python = join(folder, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '-q', ...packages])
  return async (program: string, ...args: string[]) => {
    const { stdout } = await run(python, ['-c', program, ...args])
    return JSON.parse(stdout)
  }
}

const YOURLS = `
import json, sys
from pyourls3 import Yourls, exceptions
origin, key, signature = sys.argv[1:]
said = {}
client = Yourls(origin, user="me", passwd=key)
made = client.shorten("https://example.com/docs", keyword="docs", title="Docs")
said["made"] = [made["status"], made["shorturl"], made["url"]["keyword"]]
for name, ask in {
    "again": lambda: client.shorten("https://example.com/docs"),
    "taken": lambda: client.shorten("https://example.com/other", keyword="docs"),
    "bad": lambda: client.shorten("javascript:alert(1)"),
    "wrong": lambda: Yourls(origin, key="wrong"),
}.items():
    try:
        ask()
    except Exception as error:
        said[name] = type(error).__name__
signed = Yourls(origin + "/", key=signature)
said["expanded"] = [signed.expand("docs"), client.expand(made["shorturl"])]
said["stats"] = signed.stats()
said["link"] = client.url_stats("docs")
print(json.dumps(said))
`

test(
  'pyourls3: every method, with a password and with a signature',
  { skip: whyNot },
  async (t) => {
    const world = await openWorld(t)
    const { apiKey } = await world.member()
    const python = await openPython('pyourls3==1.0.1')
    const shown = await fetch(
      `${world.origin}/yourls-api.php?action=signature&format=simple&password=${apiKey}`,
    )
    const said = await python(YOURLS, world.origin, apiKey, await shown.text())
    const [status, shorturl, keyword] = said.made
    assert.deepEqual([status, keyword], ['success', 'docs'])
    assert.deepEqual(
      [said.again, said.taken, said.bad, said.wrong],
      ['Pyourls3URLAlreadyExistsError', 'Pyourls3APIError', 'Pyourls3APIError', 'Pyourls3APIError'],
    )
    assert.deepEqual(said.expanded, ['https://example.com/docs', 'https://example.com/docs'])
    assert.deepEqual(said.stats, { total_links: '1', total_clicks: '0' })
    assert.deepEqual(
      [said.link.shorturl, said.link.title, said.link.clicks],
      [shorturl, 'Docs', '0'],
    )
  },
)

const SHLINK = `
import json, sys
from mcp_shlink.client import ShlinkClient
from mcp_shlink.models import CreateShortUrlRequest
client = ShlinkClient(*sys.argv[1:])
made = client.create_short_url(CreateShortUrlRequest(
    long_url="https://example.com/docs", custom_slug="docs", tags=["a"],
    valid_until="2036-01-01T00:00:00+00:00", max_visits=5))
said = {"made": made.model_dump(), "listed": client.list_short_urls().model_dump()}
said["read"] = client.get_short_url("docs").model_dump()
said["tags"] = client.list_tags().model_dump()
client.delete_short_url("docs")
said["left"] = len(client.list_short_urls().data)
print(json.dumps(said))
`

test('mcp-shlink: every method of its client', { skip: whyNot }, async (t) => {
  const world = await openWorld(t)
  const { apiKey } = await world.member()
  const python = await openPython('mcp-shlink==0.1.6')
  const said = await python(SHLINK, world.origin, apiKey)
  assert.deepEqual([said.made.short_code, said.made.tags], ['docs', ['a']])
  assert.deepEqual([said.listed.data.length, said.listed.pagination.totalItems], [1, 1])
  assert.deepEqual(said.read.meta, {
    validSince: null,
    validUntil: '2036-01-01T00:00:00+00:00',
    maxVisits: 5,
  })
  assert.equal(said.left, 0)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { freshDataDir, startProgram } from '../support/program.ts'
import { eventually } from '../support/world.ts'
import { freshFolder } from '../support/fixtures.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The pages in the order in which they name each other; their shell blocks are one session. */
const PAGES = [
  'README.md',
  'docs/links.md',
  'docs/analytics.md',
  'docs/conversions.md',
  'docs/deep-links.md',
  'docs/reports.md',
  'docs/shared-dashboards.md',
  'docs/bio-pages.md',
  'docs/media.md',
  'docs/accounts.md',
  'docs/webhooks.md',
]
const SHELL_BLOCK = /^```sh\n([\s\S]*?)^```$/gm
const DONE = 'block done'
/** Runs `listen`, which goes on until it is stopped, until it has printed its secret. */
const UNTIL_READY = `until_ready() {
  "$@" > listen.txt 2>&1 & local listener=$!
  until grep -q whsec_ listen.txt; do kill -0 $listener || break; sleep 0.1; done
  kill $listener; wait $listener
  grep -q whsec_ listen.txt && echo "listen is ready"
  cat listen.txt
}
`

/** The factor by which a machine under load takes longer than that of a reader. */
function slowness(): number {
  return Math.min(5, Math.max(1, Math.ceil(loadavg()[0]! / availableParallelism())))
}

/** A shell that runs the blocks of the pages one after another, as a reader's terminal does. */
function openTerminal(t: TestContext, cwd: string, env: Record<string, string>) {
  const shell = spawn('bash', ['-u'], { cwd, env: { ...process.env, ...env } })
  t.after(() => shell.kill('SIGKILL'))
  shell.stdin.write(UNTIL_READY)
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += String(text)))
  return {
    /** Runs a block. @returns its output until each of its commands has ended */
    async run(block: string): Promise<string> {
      output = ''
      shell.stdin.write(`${block}\necho; echo "${DONE}"\n`)
      await eventually(async () => assert.match(output, new RegExp(`${DONE}\n`)), 120_000)
      return output.replace(`\n${DONE}\n`, '\n')
    },
  }
}

/** Output of the commands about conversions, deep links, reports, shared dashboards, bio pages and images. */
const PRINTED: Record<string, RegExp[]> = {
  'docs/conversions.md': [
    /"eventId":"order-1","duplicate":false,"attributed":true,"linkId":"lnk_/,
    /"conversions":1,"value":4900\}/,
    /"reason":"sp_id"/,
    /"eventName":"Sign up","click":\{"id"/,
    /"sale":\{"amount":4900,"currency":"eur","invoiceId":"invoice-9"/,
  ],
  'docs/deep-links.md': [
    /"method":"click_id","confidence":0\.9,"clickId":null/,
    /"deepLink":"https:\/\/apps\.example\.com\/start"/,
    /"method":"referrer","confidence":0\.9/,
  ],
  'docs/reports.md': [
    /"name":"My links","type":"links","format":"csv","status":"completed","progress":100/,
    /"schedule":\{"frequency":"weekly","hour":8,"weekday":1,"timezone":"Europe\/Berlin"/,
  ],
  'docs/shared-dashboards.md': [/"hasPassword":true/, /"title":"Spring sale","scope":\{/],
  'docs/media.md': [
    /"contentType":"image\/webp"/,
    /"card":\{"title":"First"/,
    /HTTP\/1\.1 200 OK[^]*\nContent-Type: image\/webp/,
    /^204$/m,
  ],
  'docs/bio-pages.md': [/<h1>Ana Lima<\/h1>/, /"blocks":\[\]/, /"totalViews":1/],
}

test('the commands of the pages work in sequence on one data directory', async (t) => {
  const dataDir = freshDataDir(t)
  const receiverPort = await freePort()
  const program = await startProgram(t, dataDir, {
    WEBHOOK_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.1/32',
  })
  const folder = freshFolder()
  const terminal = openTerminal(t, folder, { DATA_DIR: dataDir })
  const { host } = new URL(program.origin)
  const here = (block: string) =>
    block
      .replaceAll('localhost:3000', host)
      .replaceAll('localhost%3A3000', encodeURIComponent(host))
      .replaceAll('npm run -s signpost -- listen', 'until_ready npm run -s signpost -- listen')
      .replaceAll('npm run -s signpost --', `${process.execPath} ${join(ROOT, 'src/cli.ts')}`)
      .replaceAll('data/outbox', join(dataDir, 'outbox'))
      .replaceAll(
        'node docs/',
        `RECEIVER_PORT=${receiverPort} ${process.execPath} ${join(ROOT, 'docs')}/`,
      )
      .replaceAll('@docs/', `@${join(ROOT, 'docs')}/`)
      .replaceAll(/\bsleep (\d+)/g, (_, seconds) => `sleep ${Number(seconds) * slowness()}`)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiverPort}`)
  const story: Record<string, string> = {}
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const blocks = Array.from(text.matchAll(SHELL_BLOCK), ([, block]) => block!)
    // The server runs already; a script with a first line of its own is a file, tested elsewhere.
    const shown = blocks.filter(
      (block) => !block.startsWith('#!') && !/^(\S+=\S+ )*npm start$/m.test(block),
    )
    story[page] = ''
    for (const block of shown) story[page] += await terminal.run(here(block))
    assert.doesNotMatch(story[page], /"error":\{|command not found|unbound variable/, page)
  }
  for (const [page, patterns] of Object.entries(PRINTED))
    for (const pattern of patterns) assert.match(story[page]!, pattern)
  const files = readdirSync(folder)
  assert.ok(
    files.some((name) => /^My links .*\.csv$/.test(name)),
    files.join(),
  )
  const { 'README.md': first, 'docs/links.md': links } = story
  const { 'docs/accounts.md': accounts, 'docs/webhooks.md': webhooks } = story
  assert.match(first!, /^HTTP\/1\.1 302 Found/m)
  await eventually(async () => {
    const again = await terminal.run(
      here('curl -s localhost:3000/v1/analytics/links/$FIRST -H "Authorization: Bearer $KEY"'),
    )
    assert.match(again, /"totalClicks":1/)
  })
  assert.match(
    links!,
    /^Location: https:\/\/example\.com\/sale\?ref=1&utm_source=poster&size=m\r$/m,
  )
  assert.match(links!, /HTTP\/1\.1 404 Not Found/)
  for (const line of [
    '<meta property="og:title" content="Our shop">',
    'Location: https://example.com/partners?source=partner',
    '<a class="button" href="exampleapp://shop">Open the app</a>',
    `Location: https://play.google.com/store/apps/details?id=com.example.shop&referrer=${encodeURIComponent(`deepLink=http://${host}/shop`)}`,
    '<p><a href="https://example.com/shop" rel="noreferrer" dir="ltr">https://example.com/shop</a></p>',
    'Location: https://example.com/partners\r\nX-Robots-Tag: noindex',
    'Location: https://example.com/over',
    '"outcome":"interstitial","status":200,"location":"exampleapp://shop"',
    'Partners: needs query source=partner, has none',
  ])
    assert.ok(links!.includes(line), line)
  assert.match(links!, /^Location: https:\/\/example\.com\/(old|new)\r$/m)
  assert.match(webhooks!, /^listen is ready$/m)
  assert.match(accounts!, /"key":"sp_[A-Za-z0-9]{40}"/)
  assert.match(webhooks!, /link\.created attempt 1 .*"slug"/)
  // The retry of what was missed, and the replay of the last hour.
  assert.match(webhooks!, /link\.created attempt 2 .*"Missed"/)
  assert.match(webhooks!, /"queued":[1-9]/)
})

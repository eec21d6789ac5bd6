import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createEgressAgent } from '../../src/platform/egress/agent.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { createLinkPreviews } from '../../src/links/preview/preview.ts'
import { createAuthority } from '../support/certificates.ts'
import { openDnsServer } from '../support/dns-server.ts'
import { openReceiver, type Script } from '../support/receiver.ts'
import * as scripts from '../support/receiver-scripts.ts'
import { eventually, openWorld } from '../support/world.ts'

const AUTHORITY = createAuthority()
const WHO = { userId: 'usr_1', workspaceId: 'wsp_1' } as never
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const MIB = 1_048_576

/** Previews of an agent that may call 127.0.0.1 and finds these names there. */
async function openPreviews(t: TestContext, { answerTimesMs = [50, 500] } = {}) {
  const dns = await openDnsServer(t)
  for (const name of ['page.test', 'other.test']) dns.set(name, { addresses: ['127.0.0.1'] })
  dns.set('inside.test', { addresses: ['10.0.0.1'] })
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.1'], dnsServers: [dns.address] })
  const dispatcher = createEgressAgent(guard, { ca: AUTHORITY.cert })
  t.after(() => dispatcher.destroy())
  const checkTarget = ({ hostname, port }: URL) => {
    guard.checkHost(hostname)
    guard.checkPort(port)
  }
  const { preview } = createLinkPreviews({ dispatcher, checkTarget }, answerTimesMs)
  return (url: string, signal?: AbortSignal) => preview(WHO, { url }, signal)
}

function html(head: string, headers: Record<string, string> = HTML): Script {
  const body = `<!doctype html><html><head>${head}</head><body><title>Not this</title></body></html>`
  return scripts.answer(200, { headers, body })
}

function fallbackOf(url: string) {
  const { hostname, pathname } = new URL(url)
  const nothing = { finalUrl: null, description: null, image: null, favicon: null, siteName: null }
  return { url, ...nothing, title: `${hostname}${pathname.replace(/\/$/, '')}` }
}

test('a page is described by its own metadata, Open Graph first', async (t) => {
  const preview = await openPreviews(t)
  const page = await openReceiver(t, { host: 'page.test' })
  page.on(
    '/full',
    html(`
      <title>Title of the tab</title>
      <meta property="og:title" content="  Spring &amp;\n sale &#x1F33C; ">
      <meta property="og:title" content="A second one">
      <meta name="twitter:title" content="For another service">
      <meta name="description" content="For search engines">
      <meta property="og:description" content="Half &quot;price&quot;\u0007">
      <meta property="og:image" content="/pictures/spring.png?size=2">
      <meta property="og:site_name" content="Example">
      <link rel="stylesheet" href="/style.css"><link rel="Shortcut Icon" href="icon.png">`),
  )
  page.on('/plain', html('<title>\n Only &lt;b&gt; a\ttitle </title>'))
  page.on('/twitter', html('<meta name="twitter:title" content="Short"><title>Long</title>'))
  page.on('/base', html('<base href="/deep/er/"><link rel="icon" href="i.svg"><title>B</title>'))
  page.on('/none', html(''))
  assert.deepEqual(await preview(page.url('/full')), {
    url: page.url('/full'),
    finalUrl: page.url('/full'),
    title: 'Spring & sale 🌼',
    description: 'Half "price"',
    image: page.url('/pictures/spring.png?size=2'),
    favicon: page.url('/icon.png'),
    siteName: 'Example',
  })
  const plain = await preview(page.url('/plain'))
  assert.deepEqual(plain, {
    ...fallbackOf(page.url('/plain')),
    finalUrl: page.url('/plain'),
    title: 'Only <b> a title',
  })
  assert.equal((await preview(page.url('/twitter'))).title, 'Short')
  assert.equal((await preview(page.url('/base'))).favicon, page.url('/deep/er/i.svg'))
  assert.equal((await preview(page.url('/none'))).title, 'page.test/none')
  assert.equal((await preview(page.url('/none%20%e2%82%ac'))).title, 'page.test/none €')
})

test('texts are shortened, and addresses are returned only if they could be fetched', async (t) => {
  const preview = await openPreviews(t)
  const page = await openReceiver(t, { host: 'page.test' })
  const of = async (head: string) => {
    page.on('/', html(head))
    return preview(page.url('/'))
  }
  const long = await of(
    `<title>${'🌼'.repeat(300)}</title><meta name="description" content="${'x'.repeat(50_000)}">`,
  )
  assert.equal(Array.from(long.title).length, 255)
  assert.equal(long.description!.length, 1_000)
  for (const image of [
    ...[
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://a.example/',
    ],
    ...[
      'http://10.0.0.1/a.png',
      'http://[::1]/a.png',
      'http://169.254.169.254/',
      'http://db/a.png',
    ],
    ...[
      'https://user:secret@a.example/',
      'https://a.example:22/',
      'https://',
      `/${'x'.repeat(3_000)}`,
    ],
  ]) {
    const { image: shown, favicon } = await of(
      `<meta property="og:image" content="${image}"><link rel="icon" href="${image}">`,
    )
    // The guard of this test allows names that are not public.
    if (image.includes('//db/')) continue
    assert.deepEqual([image, shown, favicon], [image, null, null])
  }
  const { image } = await of('<meta property="og:image" content="//cdn.example/a b.png">')
  assert.equal(image, 'http://cdn.example/a%20b.png')
  assert.equal(page.requests.length, 14)
})

test('the encoding is that of the byte order mark, the header or the page, in this order', async (t) => {
  const preview = await openPreviews(t)
  const page = await openReceiver(t, { host: 'page.test' })
  const titled = (title: Buffer, meta = '') =>
    Buffer.concat([Buffer.from(`<head>${meta}<title>`), title, Buffer.from('</title></head>')])
  const cafe = Buffer.from('caf\u00e9', 'latin1')
  const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
  const rows: [type: string, body: Buffer, title: string][] = [
    ['text/html', titled(Buffer.from('café')), 'café'],
    ['text/html; charset="ISO-8859-1"', titled(cafe), 'café'],
    ['text/html', titled(cafe, '<meta charset=windows-1252>'), 'café'],
    [
      'text/html',
      titled(shiftJis, '<meta http-equiv=x content="text/html; charset=Shift_JIS">'),
      '日本',
    ],
    ['text/html; charset=utf-8', titled(Buffer.from('café'), '<meta charset=latin1>'), 'café'],
    ['text/html; charset=none-such', titled(Buffer.from('café')), 'café'],
    ['text/html', titled(Buffer.from('café'), '<meta charset=utf-16le>'), 'café'],
    ['text/html; charset=latin1', Buffer.from('\ufeff<title>café</title>'), 'café'],
    ['application/xhtml+xml', Buffer.from('\ufeff<title>café</title>', 'utf16le'), 'café'],
  ]
  for (const [type, body, title] of rows) {
    page.on('/', scripts.answer(200, { headers: { 'content-type': type }, body }))
    assert.equal((await preview(page.url('/'))).title, title, type)
  }
})

test('three redirects are followed, and each is checked like the first URL', async (t) => {
  const preview = await openPreviews(t)
  const page = await openReceiver(t, { host: 'page.test' })
  const secure = await openReceiver(t, {
    host: 'other.test',
    tls: AUTHORITY.issue({ names: ['other.test'] }),
  })
  const to = (location: string) =>
    scripts.answer(302, { headers: { location, 'set-cookie': 'a=b' } })
  page.on('/end', html('<title>The end</title>'))
  secure.on('/end', html('<title>Secure</title>'))
  page.on('/1', to('/end'))
  page.on('/2', to('/1'))
  page.on('/3', to(page.url('/2')))
  page.on('/4', to('/3'))
  page.on('/up', to(secure.url('/end')))
  secure.on('/down', to(page.url('/end')))
  const three = await preview(page.url('/3'))
  assert.deepEqual([three.finalUrl, three.title], [page.url('/end'), 'The end'])
  assert.equal((await preview(page.url('/up'))).title, 'Secure')
  const headers = page.requests.flatMap((request) => Object.keys(request.headers))
  assert.deepEqual([...new Set(headers)].toSorted(), [
    ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
  ])
  assert.deepEqual(await preview(page.url('/4')), fallbackOf(page.url('/4')))
  assert.deepEqual(await preview(secure.url('/down')), fallbackOf(secure.url('/down')))
  const before = page.connections.length
  for (const [i, location] of [
    ...['http://10.0.0.1/', 'http://inside.test/', 'http://[::1]/', 'file:///etc/passwd', '//'],
    ...['http://169.254.169.254/latest/meta-data', 'http://u:p@page.test/', 'http://page.test:22/'],
  ].entries()) {
    page.on(`/bad${i}`, to(location))
    const url = page.url(`/bad${i}`)
    assert.deepEqual(await preview(url), fallbackOf(url), location)
  }
  assert.equal(page.connections.length, before + 8)
})

test('a page that cannot be read has one answer for every reason', async (t) => {
  const preview = await openPreviews(t)
  const page = await openReceiver(t, { host: 'page.test' })
  const closed = await openReceiver(t, { host: 'page.test' })
  await closed.close()
  const untrusted = await openReceiver(t, { host: 'other.test', isTlsSilent: true })
  const title = '<head><title>Secret</title></head>'
  page.on('/type', html(title, { 'content-type': 'application/json' }))
  page.on('/untyped', html(title, {}))
  page.on('/error', scripts.answer(503, { headers: HTML, body: title }))
  page.on('/hang', scripts.hang())
  page.on('/closed', scripts.closeBeforeHead())
  page.on('/reset', scripts.closeBeforeHead({ isReset: true }))
  page.on('/bomb', html(title, { ...HTML, 'content-encoding': 'gzip' }))
  page.on('/drip', dripping())
  page.on('/endless', endless())
  const urls = [
    ...['/type', '/untyped', '/error', '/hang', '/closed', '/reset', '/bomb', '/drip', '/endless'],
  ].map((path) => page.url(path))
  urls.push(closed.url('/a'), untrusted.url('/a'))
  urls.push('http://10.0.0.1/a', 'http://[::ffff:10.0.0.1]/', 'http://inside.test/a')
  urls.push('http://unknown.test/a', 'http://169.254.169.254/latest', 'http://page.test:25/a')
  for (const url of urls) assert.deepEqual(await preview(url), fallbackOf(url), url)
  await eventually(() => assert.equal(page.openConnections(), 0))
})

test('a failure is answered at one of two times, of which the later one ends the fetch', async (t) => {
  const times = [300, 900]
  const preview = await openPreviews(t, { answerTimesMs: times })
  const page = await openReceiver(t, { host: 'page.test' })
  page.on('/hang', scripts.hang())
  const timeOf = async (url: string) => {
    const startedAtMs = performance.now()
    await preview(url)
    return performance.now() - startedAtMs
  }
  for (const url of ['http://10.0.0.1/', 'http://unknown.test/', page.url('/refused')])
    assert.ok((await timeOf(url)) > times[0]! - 5, url)
  const [early, late] = await Promise.all([timeOf('http://10.0.0.1/'), timeOf(page.url('/hang'))])
  assert.ok(late > times[1]! - 5 && early < late)
})

test('reading ends with the head, and hostile markup stays cheap', async (t) => {
  const preview = await openPreviews(t, { answerTimesMs: [50, 5_000] })
  const page = await openReceiver(t, { host: 'page.test' })
  page.on('/huge', endless('<head><title>Huge</title></head>'))
  page.on('/body', endless('<title>No end tag</title><body>'))
  page.on('/late', endless('<head>', '<title>late</title></head>', MIB))
  const nested = '<title>Deep</title>' + '<a>'.repeat(170_000) + '</b>'.repeat(130_000)
  page.on('/nested', scripts.answer(200, { headers: HTML, body: nested }))
  page.on('/deep', html(`${'<i>'.repeat(100)}<title>Too deep</title>`))
  const attributes = `<meta ${'a '.repeat(250_000)}><title>Wide</title>`
  page.on('/attributes', scripts.answer(200, { headers: HTML, body: attributes }))
  page.on('/proto', html('<meta name="__proto__" content="x"><meta __proto__=1><title>Own</title>'))
  assert.equal((await preview(page.url('/huge'))).title, 'Huge')
  assert.equal((await preview(page.url('/body'))).title, 'No end tag')
  assert.equal((await preview(page.url('/late'))).title, 'page.test/late')
  assert.equal((await preview(page.url('/nested'))).title, 'Deep')
  assert.equal((await preview(page.url('/deep'))).title, 'page.test/deep')
  assert.equal((await preview(page.url('/attributes'))).title, 'Wide')
  assert.equal((await preview(page.url('/proto'))).title, 'Own')
  await eventually(() => assert.equal(page.openConnections(), 0))
  for (const { bytesWritten } of page.connections) assert.ok(bytesWritten() < 16 * MIB)
})

test('a workspace reads four pages at once, and a client that leaves gives up its place', async (t) => {
  const preview = await openPreviews(t, { answerTimesMs: [50, 20_000] })
  const page = await openReceiver(t, { host: 'page.test' })
  page.on('/hang', scripts.hang())
  page.on('/good', html('<title>Good</title>'))
  const leaving = new AbortController()
  const held = Array.from({ length: 20 }, () => preview(page.url('/hang'), leaving.signal))
  await eventually(() => assert.equal(page.openConnections(), 4))
  await assert.rejects(preview(page.url('/good')), { code: 'RATE_LIMITED' })
  leaving.abort()
  await Promise.all(held)
  assert.equal((await preview(page.url('/good'))).title, 'Good')
  assert.equal(page.requestsOf('/hang').length, 4)
})

test('previews have a rate of their own, and refuse what no link may have', async (t) => {
  const page = await openReceiver(t)
  page.on('/', html('<title>On loopback</title>'))
  const config = { egressAllowedCidrs: ['127.0.0.1'], rateLimitPreview: 12 }
  const world = await openWorld(t, { config })
  const owner = await world.member()
  const ask = (url: string) => owner.get(`/links/preview?url=${encodeURIComponent(url)}`)
  const good = await ask(page.url('/'))
  assert.equal(good.status, 200)
  assert.equal(good.body.data.title, 'On loopback')
  assert.equal(good.headers.get('x-ratelimit-limit'), '12')
  const refused = [
    await owner.get('/links/preview'),
    ...(await Promise.all(
      [
        '',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'example.com',
        'https://u:p@example.com/',
      ].map(ask),
    )),
  ]
  for (const { status, body } of refused)
    assert.deepEqual(
      [status, body.error.code, body.error.details[0].path],
      [400, 'VALIDATION_ERROR', 'url'],
    )
  const statuses = await Promise.all(
    Array.from({ length: 12 }, () => ask('http://').then(({ status }) => status)),
  )
  assert.ok(statuses.includes(429))
})

test('without a setting, loopback is not fetched', async (t) => {
  const page = await openReceiver(t)
  page.on('/', html('<title>On loopback</title>'))
  const world = await openWorld(t)
  const owner = await world.member()
  const url = encodeURIComponent(page.url('/'))
  const { status, body } = await owner.get(`/links/preview?url=${url}`)
  assert.deepEqual([status, body.data], [200, { ...fallbackOf(page.url('/')), title: '127.0.0.1' }])
  assert.equal(page.connections.length, 0)
})

/** The head of a page, one byte at a time. */
function dripping(): Script {
  return {
    async run({ write, signal }) {
      await write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<head><title>')
      while (!signal.aborted && (await write('x')))
        await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}

/** A page of a gigabyte, sent as long as the client reads. */
function endless(start = '', end = '', endAfterBytes = Infinity): Script {
  const piece = '<!-- filling -->'.repeat(4_096)
  return {
    async run({ write, signal }) {
      await write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${1024 * MIB}\r\n\r\n${start}`,
      )
      for (let sent = 0; sent < 1024 * MIB && !signal.aborted; sent += piece.length) {
        if (sent >= endAfterBytes) await write(end)
        if (!(await write(piece))) return
      }
    },
  }
}

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { addDashboard, type Dashboard } from '../../src/api/site/dashboard.ts'
import { readBuild, type DashboardFiles } from '../../src/api/site/dashboard-files.ts'
import { addSiteFiles } from '../../src/api/site/static-file.ts'
import { writeBuild } from '../support/dashboard-checkout.ts'
import { openTestGateway } from '../support/test-gateway.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
const SCRIPT = 'console.log("signpost");\n'.repeat(200)
const FOREVER = 'public, max-age=31536000, immutable'

const FILES = {
  'index.html': '<!doctype html><title>Signpost</title>',
  'assets/index-Cbr3a_uo.js': SCRIPT,
  'assets/font-abc.woff2': 'not text',
}

function toDashboard(files: DashboardFiles, state?: 'building' | 'failed'): Dashboard {
  return {
    find: (path) => files.get(path),
    getPage: (name) => state ?? files.get(name)!,
  }
}

async function open(t: TestContext, state?: 'building' | 'failed') {
  const folder = await writeBuild(FILES)
  const files = await readBuild(folder)
  // No request may need the disk.
  rmSync(folder, { recursive: true })
  return openTestGateway(t, {
    publicUrl: 'https://links.example.com',
    extend: (app) => {
      addDashboard(app, toDashboard(files, state))
      addSiteFiles(app)
    },
  })
}

suite('the dashboard', () => {
  test('an asset is kept forever and sent in the best form that the client takes', async (t) => {
    const gateway = await open(t)
    const path = '/app/assets/index-Cbr3a_uo.js'
    const FORMS: readonly [accepted: string | null, encoding: string | undefined][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['x-gzip', 'gzip'],
      ['br;q=0.1, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['identity', undefined],
      ['*', undefined],
      ['', undefined],
      [null, undefined],
    ]
    const etags = new Set()
    for (const [accepted, encoding] of FORMS) {
      const sent = accepted === null ? {} : { 'accept-encoding': accepted }
      const { status, headers } = await gateway.send('GET', path, sent)
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], encoding, String(accepted))
      assert.equal(headers['cache-control'], FOREVER)
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(headers.vary, 'accept-encoding')
      etags.add(headers.etag)
      // fetch decodes what it gets.
      const url = `http://127.0.0.1:${gateway.port}${path}`
      assert.equal(await (await fetch(url, { headers: sent })).text(), SCRIPT)
    }
    assert.equal(etags.size, 3)
  })

  test('a file that is compressed by nature is sent as it is', async (t) => {
    const gateway = await open(t)
    const { headers, text } = await gateway.send('GET', '/app/assets/font-abc.woff2', {
      'accept-encoding': 'br',
    })
    assert.deepEqual([headers['content-type'], text], ['font/woff2', 'not text'])
    assert.equal(headers['content-encoding'], undefined)
  })

  test('an address of the dashboard is its page, which a browser asks for again each time', async (t) => {
    const gateway = await open(t)
    for (const path of [
      '/app/',
      '/app/index.html',
      '/app/ws_1/links?x=1',
      '/app/a.js',
      '/app/%2e',
    ]) {
      const { status, headers, text } = await gateway.send('GET', path)
      assert.equal(status, 200, path)
      assert.equal(text, FILES['index.html'])
      assert.equal(headers['cache-control'], 'no-cache')
      assert.match(headers.etag!, /^"[\w-]{22}"$/)
    }
    const { status, headers } = await gateway.send('GET', '/app?next=1')
    assert.deepEqual([status, headers.location], [302, '/app/?next=1'])
  })

  test('a page or asset that the browser has is not sent again', async (t) => {
    const gateway = await open(t)
    for (const path of ['/app/', '/app/assets/index-Cbr3a_uo.js']) {
      const { headers } = await gateway.send('GET', path, { 'accept-encoding': 'br' })
      for (const given of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
        const sent = { 'accept-encoding': 'br', 'if-none-match': given }
        const answer = await gateway.send('GET', path, sent)
        assert.deepEqual([answer.status, answer.text], [304, ''], given)
        assert.equal(answer.headers.etag, headers.etag)
        assert.equal(answer.headers['cache-control'], headers['cache-control'])
        assert.equal(answer.headers['content-security-policy'], POLICY)
      }
      const other = { 'accept-encoding': 'gzip', 'if-none-match': headers.etag! }
      assert.equal((await gateway.send('GET', path, other)).status, 200)
    }
  })

  test('HEAD has the headers of GET, and other methods are refused', async (t) => {
    const gateway = await open(t)
    for (const path of ['/app/', '/app/assets/index-Cbr3a_uo.js', '/app/assets/none.js'])
      for (const accepted of ['br', 'gzip', 'identity']) {
        const sent = { 'accept-encoding': accepted }
        const [get, head] = [
          await gateway.send('GET', path, sent),
          await gateway.send('HEAD', path, sent),
        ]
        assert.equal(head.status, get.status)
        assert.equal(head.text, '')
        const { 'x-request-id': _id, date: _date, ...headers } = get.headers
        const { 'x-request-id': _headId, date: _headDate, ...headHeaders } = head.headers
        assert.deepEqual(headHeaders, headers, `${path} ${accepted}`)
      }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['/app/', '/app/links', '/app/assets/index-Cbr3a_uo.js', '/app']) {
        const { status, headers } = await gateway.send(method, path)
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`)
      }
  })

  test('every answer has the policy that lets no foreign or inline script run', async (t) => {
    const gateway = await open(t)
    for (const path of ['/app/', '/app/links', '/app/assets/index-Cbr3a_uo.js']) {
      const { headers } = await gateway.send('GET', path)
      assert.equal(headers['content-security-policy'], POLICY)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['x-robots-tag'], 'noindex')
      assert.match(String(headers['permissions-policy']), /camera=\(\)/)
      assert.match(headers['strict-transport-security']!, /max-age/)
      assert.match(String(headers['x-request-id']), /^req_/)
      assert.equal(headers['access-control-allow-origin'], undefined)
    }
  })

  test('nothing but the files of the list is served as a file', async (t) => {
    const gateway = await open(t)
    const HOSTILE = [
      '/app/assets/',
      '/app/assets/none.js',
      '/app/assets/../../package.json',
      '/app/assets/..%2f..%2fpackage.json',
      '/app/assets/%2e%2e/%2e%2e/package.json',
      '/app/assets/..\\..\\package.json',
      '/app/assets//index-Cbr3a_uo.js',
      '/app/assets/index-Cbr3a_uo.js.br',
      '/app/assets/%69ndex-Cbr3a_uo.js',
      '/app/assets/__proto__',
      '/app/assets/constructor',
    ]
    for (const path of HOSTILE) {
      const { status, body, headers } = await gateway.send('GET', path)
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], path)
      assert.equal(headers['cache-control'], 'no-store')
    }
    for (const path of [
      '/app/../package.json',
      '/app/files.json',
      '/app/__proto__',
      '/app//etc/passwd',
    ])
      assert.equal((await gateway.send('GET', path)).text, FILES['index.html'], path)
    for (const path of ['/app/%00', '/app/assets/%00.js', '/app/%ff', '/app/%'])
      assert.equal((await gateway.send('GET', path)).status, 400, path)
    assert.equal((await gateway.send('GET', '/apple')).status, 404)
  })

  test('before the build is done, a page without script asks again by itself', async (t) => {
    for (const [state, says] of [
      ['building', /being built/],
      ['failed', /could not be built[^]*npm run build/],
    ] as const) {
      const gateway = await open(t, state)
      const { status, headers, text } = await gateway.send('GET', '/app/links')
      assert.equal(status, 503)
      assert.match(text, says)
      assert.doesNotMatch(text, /<script/)
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-/,
      )
      assert.equal(headers['cache-control'], 'no-store')
      assert.ok(Number(headers.refresh) >= 1)
      assert.equal(headers['retry-after'], headers.refresh)
      // The tabs that were open before need their assets.
      assert.equal((await gateway.send('GET', '/app/assets/index-Cbr3a_uo.js')).status, 200)
    }
  })
})

test('a build with a file outside of the folder, or of another size, is refused', async () => {
  for (const path of [
    '../index.html',
    '/etc/passwd',
    'assets/../x.js',
    'a/b.js',
    'x.exe',
    '.env',
  ]) {
    const folder = await writeBuild(FILES)
    const files = [{ path, bytes: 1, digest: 'x', br: null, gzip: null }]
    writeFileSync(join(folder, 'files.json'), JSON.stringify({ files }))
    await assert.rejects(readBuild(folder), /cannot be served/, path)
  }
  const folder = await writeBuild(FILES)
  writeFileSync(join(folder, 'assets/index-Cbr3a_uo.js.br'), 'short')
  await assert.rejects(readBuild(folder), /does not have \d+ bytes/)
})

test('crawlers may follow short links, and are asked to leave the dashboard and the API alone', async (t) => {
  const gateway = await open(t)
  const { status, headers, text } = await gateway.send('GET', '/robots.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(
    text,
    'User-agent: *\nDisallow: /app/\nDisallow: /v1/\nAllow: /app/assets/\nAllow: /v1/public/\n',
  )
})

test('both icons are pictures, and a browser that has them gets a 304', async (t) => {
  const gateway = await open(t)
  for (const [path, type, start] of [
    ['/favicon.ico', 'image/x-icon', '\0\0\x01\0'],
    ['/favicon.svg', 'image/svg+xml', '<svg '],
  ] as const) {
    const { status, headers, text } = await gateway.send('GET', `${path}?v=1`)
    assert.deepEqual([status, headers['content-type']], [200, type])
    assert.ok(text.startsWith(start))
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    const again = await gateway.send('GET', path, { 'if-none-match': headers.etag! })
    assert.equal(again.status, 304)
    assert.equal((await gateway.send('POST', path)).status, 405)
  }
})

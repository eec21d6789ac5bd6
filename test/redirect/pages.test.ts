import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { LANGUAGES, matchLanguage } from '../../src/platform/facts/languages.ts'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { NO_BRANDING } from '../../src/redirect/pages/brand.ts'
import { prefersJson, sendPage, type AnyPage } from '../../src/redirect/pages/pages.ts'

test('JSON goes to clients that prefer it, pages to all others', () => {
  for (const accept of [
    'application/json',
    'application/json, */*;q=0.1',
    'application/problem+json',
    'text/html;q=0.5, application/json',
    'APPLICATION/JSON',
  ])
    assert.equal(prefersJson(accept), true, accept)
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/html',
    'text/html, application/json',
    'application/json;q=0, */*',
    'application/json;q=0.4, text/html;q=0.5',
    'image/avif,image/webp,*/*',
  ])
    assert.equal(prefersJson(accept), false, accept)
  fc.assert(fc.property(fc.string(), (accept) => typeof prefersJson(accept) === 'boolean'))
})

const STATUSES: Record<AnyPage, number> = {
  missing: 404,
  pending: 404,
  expired: 410,
  exhausted: 410,
  noPreview: 404,
  suspended: 410,
  blocked: 451,
  malformed: 400,
  tooLong: 414,
  wrongMethod: 405,
  formTooLarge: 413,
  formType: 415,
  formMalformed: 400,
  formTooSlow: 408,
  unavailable: 503,
  broken: 500,
}

/** A server of the pages, by their names. @returns its address */
async function serve(t: TestContext): Promise<string> {
  const server = createServer((req, res) =>
    sendPage(res, req.url!.slice(1) as AnyPage, {
      requestId: 'id-of-request',
      accept: req.headers.accept,
      spoken: matchLanguage(req.headers['accept-language']),
      host: 'links.example',
      reportUrl: '/report-abuse?url="><b>',
      branding: NO_BRANDING,
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

test('the language of a page is the first of Accept-Language that exists, by weight', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['xx', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['sv, fr;q=0.3, PL;q=0.7', 'pl'],
    ['en;q=0.1, ja', 'ja'],
    ['pt-PT', 'pt-BR'],
    ['zh-TW;q=0.9', 'zh-CN'],
    ['ar;q=0, tr;q=0.001', 'tr'],
    ['de;q=x, nl;q=0.2', 'nl'],
    [`${'x,'.repeat(50_000)}de`, 'en'],
  ] as const)
    assert.equal(matchLanguage(header), language, header?.slice(0, 40))
  fc.assert(fc.property(fc.string(), (header) => LANGUAGES.includes(matchLanguage(header))))
})

test('each page is in the language of the visitor, and its error body in English', async (t) => {
  const url = await serve(t)
  const titles = new Set<string>()
  for (const language of LANGUAGES) {
    const headers = { accept: 'text/html', 'accept-language': language }
    const html = await (await fetch(`${url}/expired`, { headers })).text()
    assert.match(
      html,
      new RegExp(`<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>`),
    )
    titles.add(/<h1>(.*)<\/h1>/.exec(html)![1]!)
    const json = { accept: 'application/json', 'accept-language': language }
    const answer = await (await fetch(`${url}/expired`, { headers: json })).text()
    assert.match(answer, /This link has expired\./)
  }
  assert.equal(titles.size, LANGUAGES.length)
})

test('each page has its status, and the id of its request in ASCII text', async (t) => {
  const url = await serve(t)
  for (const [name, status] of Object.entries(STATUSES))
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(`${url}/${name}`, { headers: { accept } })
      assert.equal(answer.status, status, name)
      const body = Buffer.from(await answer.arrayBuffer())
      // Written as latin1, another character would be a wrong one.
      assert.ok(
        body.every((byte) => byte < 128),
        name,
      )
      assert.match(body.toString(), /\bid-of-request\b/, name)
      assert.doesNotMatch(body.toString(), /url="|><b>/, name)
      assert.match(body.toString(), accept === 'text/html' ? /<\/html>\n$/ : /^\{.*\}$/, name)
    }
})

test('without known hosts every well-formed host is served', () => {
  const hosts = new Hosts([], Date.now)
  for (const host of ['a', 'short.example', 'a_b.example:8080', '[2001:db8::1]:80', '10.0.0.1', ''])
    assert.equal(hosts.find(host)?.key, '', host)
  for (const host of ['a b', 'a@b', 'a/b', 'a:b', 'a:123456', '[::1', 'a'.repeat(300), 'ü'])
    assert.equal(hosts.find(host), null, host)
})

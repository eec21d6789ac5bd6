import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createEgressAgent } from '../../src/platform/egress/agent.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { createLinkIcons } from '../../src/links/preview/icon.ts'
import { openDnsServer } from '../support/dns-server.ts'
import { openReceiver } from '../support/receiver.ts'
import { answer } from '../support/receiver-scripts.ts'

const WHO = { userId: 'usr_1', workspaceId: 'wsp_1' } as never
const OTHER = { userId: 'usr_2', workspaceId: 'wsp_2' } as never
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
const ICO = Buffer.concat([Buffer.from('00000100', 'hex'), Buffer.alloc(40)])
const GLOBE = 'image/svg+xml'

async function openIcons(t: TestContext) {
  const dns = await openDnsServer(t)
  dns.set('page.test', { addresses: ['127.0.0.1'] })
  dns.set('inside.test', { addresses: ['10.0.0.1'] })
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.1'], dnsServers: [dns.address] })
  const dispatcher = createEgressAgent(guard)
  t.after(() => dispatcher.destroy())
  const checkTarget = ({ hostname, port }: URL) => {
    guard.checkHost(hostname)
    guard.checkPort(port)
  }
  const { icon } = createLinkIcons({ dispatcher, checkTarget }, [500, 20_000])
  return (url: string, who = WHO) => icon(who, { url })
}

const html = (head: string) =>
  answer(200, { headers: { 'content-type': 'text/html' }, body: `<head>${head}</head>` })

test('the icon that a site names is sent, and read once for each workspace', async (t) => {
  const icon = await openIcons(t)
  const site = await openReceiver(t, { host: 'page.test' })
  site.on('/', html('<link rel="icon" href="/mark.png">'))
  site.on('/mark.png', answer(200, { body: PNG }))
  const first = await icon(site.url('/a/page?of=it'))
  assert.equal(first.contentType, 'image/png')
  assert.deepEqual(first.body, PNG)
  assert.equal(first.headers!['cache-control'], 'private, max-age=604800')
  await icon(site.url('/another'))
  assert.equal(site.requestsOf('/mark.png').length, 1)
  await icon(site.url('/another'), OTHER)
  assert.equal(site.requestsOf('/mark.png').length, 2)
})

test('without one the common address is asked, and without that the answer is a globe', async (t) => {
  const icon = await openIcons(t)
  const site = await openReceiver(t, { host: 'page.test' })
  site.on('/', html('<link rel="icon" href="/mark.svg">'))
  site.on('/mark.svg', answer(200, { body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }))
  site.on('/favicon.ico', answer(200, { body: ICO }))
  assert.equal((await icon(site.url('/'))).contentType, 'image/x-icon')
  const large = await openReceiver(t, { host: 'page.test' })
  large.on('/favicon.ico', answer(200, { body: Buffer.concat([ICO, Buffer.alloc(40_000)]) }))
  assert.equal((await icon(large.url('/'))).contentType, GLOBE)
  const page = await openReceiver(t, { host: 'page.test' })
  page.on('/favicon.ico', html('<script>alert(1)</script>'))
  assert.equal((await icon(page.url('/'))).contentType, GLOBE)
})

test('the inner network is not asked, and its answer comes at a fixed time', async (t) => {
  const icon = await openIcons(t)
  for (const url of ['http://inside.test/', 'http://10.0.0.1/', 'http://169.254.169.254/']) {
    const answered = await icon(url)
    assert.equal(answered.contentType, GLOBE, url)
    assert.equal(answered.headers!['cache-control'], 'private, max-age=3600')
  }
})

import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { connect, type ConnectionOptions } from 'node:tls'
import { readClientHello } from '../../../src/domains/tls/validations.ts'

/** The first message of Node's own client. */
async function helloOf(t: TestContext, options: ConnectionOptions): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, ...options }).on('error', () => {})
  const [socket] = await once(server, 'connection')
  t.after(() => {
    client.destroy()
    server.close()
  })
  const chunks: Buffer[] = []
  for (;;) {
    chunks.push((await once(socket, 'data'))[0])
    if (readClientHello(Buffer.concat(chunks)) !== 'incomplete') return Buffer.concat(chunks)
  }
}

/** The same message in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5)
  const records = Array.from({ length: Math.ceil(message.length / size) }, (_, i) => {
    const part = message.subarray(i * size, (i + 1) * size)
    return Buffer.concat([Buffer.of(22, 3, 1, part.length >> 8, part.length & 255), part])
  })
  return Buffer.concat(records)
}

const NAMED = { servername: 'go.example.com', ALPNProtocols: ['acme-tls/1'] }
const EXPECTED = { servername: 'go.example.com', protocols: ['acme-tls/1'] }

test('the host and the protocols of a client are read, for each version of TLS', async (t) => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    assert.deepEqual(readClientHello(await helloOf(t, { ...NAMED, maxVersion })), EXPECTED)
  const two = await helloOf(t, { ALPNProtocols: ['h2', 'http/1.1'] })
  assert.deepEqual(readClientHello(two), { servername: null, protocols: ['h2', 'http/1.1'] })
})

test('the beginning of a message is incomplete, wherever it breaks off and however many records it has', async (t) => {
  const hello = await helloOf(t, NAMED)
  for (const bytes of [hello, ...[1, 3, 4, 5, 100].map((size) => inRecords(hello, size))]) {
    assert.deepEqual(readClientHello(bytes), EXPECTED)
    assert.deepEqual(readClientHello(Buffer.concat([bytes, randomBytes(9)])), EXPECTED)
    for (let end = 0; end < bytes.length; end += end < 200 ? 1 : 37)
      assert.equal(readClientHello(bytes.subarray(0, end)), 'incomplete')
  }
})

test('other bytes are no message, and need not be waited for', () => {
  const texts = ['GET / HTTP/1.1\r\n\r\n', 'SSH-2.0-x\r\n', '\0', '\x15\x03\x01\0\x02\x01\0']
  for (const text of texts) assert.equal(readClientHello(Buffer.from(text, 'latin1')), null)
  // A record of no bytes, one that is too long, another version, another message, one that is too long.
  for (const hex of [
    '1603010000',
    '1603014001',
    '160201',
    '160301000402000000',
    '160301000401004001',
  ])
    assert.equal(readClientHello(Buffer.from(hex.padEnd(10, '0'), 'hex')), null, hex)
})

test('broken messages are refused, and no bytes make the reader fail', async (t) => {
  const hello = await helloOf(t, NAMED)
  // Lengths that lead past the end: of the session, the cipher suites and the extensions.
  for (const at of [43, 44 + hello[43]!]) {
    const broken = Buffer.from(hello)
    broken[at] = 255
    broken[at + 1] = 255
    assert.equal(readClientHello(broken), null)
  }
  for (let i = 0; i < 20_000; i++) {
    const bytes = i % 2 === 0 ? Buffer.from(hello) : inRecords(hello, 1 + randomInt(300))
    for (let n = randomInt(1, 6); n > 0; n--) bytes[randomInt(bytes.length)] = randomInt(256)
    const read = readClientHello(bytes.subarray(0, randomInt(bytes.length + 1)))
    assert.ok(read === null || read === 'incomplete' || Array.isArray(read.protocols))
    readClientHello(randomBytes(randomInt(64)))
  }
})

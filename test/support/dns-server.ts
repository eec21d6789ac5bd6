import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import ipaddr from 'ipaddr.js'

/**
 * The answer for a name. `addresses` holds both families; a question gets its own. `texts` are the TXT records,
 * each of one or several strings. `silent` sends no answer, `delayMs` a late one, `cname` puts aliases before
 * the other records.
 */
export type DnsAnswer = {
  addresses?: readonly string[]
  texts?: readonly (string | readonly string[])[]
  ttl?: number
  cname?: readonly string[]
  rcode?: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED'
  silent?: boolean | 'AAAA'
  delayMs?: number
}

export type DnsServer = {
  /** `127.0.0.1:port`, as DNS_SERVERS takes it. */
  address: string
  /** Sets the answers of a name: one per question of each type, the last one repeatedly. */
  set(name: string, ...answers: DnsAnswer[]): void
  /** Questions so far, `A example.test`. */
  questions: string[]
}

type Question = { id: number; name: string; type: number; wire: Buffer }

const TYPE_CNAME = 5
const TYPE_TXT = 16
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 5: 'CNAME', 16: 'TXT', 28: 'AAAA' }
const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const
/** The longest answer over UDP; a longer one is cut, and the client asks again over TCP. */
const MAX_UDP_BYTES = 1_232

/** A name server on loopback, over UDP and TCP; unknown names are NXDOMAIN. Closed after the test. */
export async function openDnsServer(t: TestContext): Promise<DnsServer> {
  const zone = new Map<string, DnsAnswer[]>()
  const turns = new Map<string, number>()
  const questions: string[] = []
  const timers = new Set<NodeJS.Timeout>()
  const sockets = new Set<Socket>()

  /** All types of one look-up get the same answer of a list. */
  function answerFor(question: Question): DnsAnswer {
    const list = zone.get(question.name) ?? [{ rcode: 'NXDOMAIN' as const }]
    const key = `${question.type} ${question.name}`
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return list[Math.min(turn, list.length - 1)]!
  }

  function handle(packet: Buffer, send: (reply: Buffer) => void): void {
    const question = parseQuestion(packet)
    const typeName = TYPES[question.type] ?? String(question.type)
    questions.push(`${typeName} ${question.name}`)
    const answer = answerFor(question)
    if (answer.silent === true || answer.silent === typeName) return
    const reply = encodeReply(question, answer)
    if (answer.delayMs === undefined) return send(reply)
    timers.add(setTimeout(() => send(reply), answer.delayMs))
  }

  const tcp = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE()
        handle(received.subarray(2, end), (reply) =>
          socket.write(Buffer.concat([u16(reply.length), reply])),
        )
        received = received.subarray(end)
      }
    })
  })
  const openUdp = () => {
    const socket = createSocket('udp4', (packet, peer) => {
      handle(packet, (reply) => {
        const cut = reply.length > MAX_UDP_BYTES ? truncated(reply, packet) : reply
        socket.send(cut, peer.port, peer.address)
      })
    })
    return socket
  }
  const { port, udp } = await openBoth(tcp, openUdp)
  t.after(() => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
    udp.close()
    tcp.close()
  })

  return {
    address: `127.0.0.1:${port}`,
    questions,
    set(name, ...answers) {
      zone.set(name, answers)
      for (const type of Object.keys(TYPES)) turns.delete(`${type} ${name}`)
    },
  }
}

/** Opens a port that is free for both TCP and UDP. */
async function openBoth(tcp: TcpServer, openUdp: () => UdpSocket) {
  for (;;) {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    const { port } = tcp.address() as AddressInfo
    const udp = openUdp()
    const isOpen = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false))
      udp.bind(port, '127.0.0.1', () => resolve(true))
    })
    if (isOpen) return { port, udp }
    udp.close()
    await new Promise((resolve) => tcp.close(resolve))
  }
}

function parseQuestion(packet: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at]!; length > 0; length = packet[at]!) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const wire = packet.subarray(12, at + 5)
  return {
    id: packet.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: packet.readUInt16BE(at + 1),
    wire,
  }
}

function encodeReply(question: Question, answer: DnsAnswer): Buffer {
  const { cname = [], ttl = 0, rcode } = answer
  const owners = [question.name, ...cname]
  const aliases = cname.map((target, i) => record(owners[i]!, TYPE_CNAME, ttl, encodeName(target)))
  const rest = dataOf(question, answer).map((data) =>
    record(owners.at(-1)!, question.type, ttl, data),
  )
  const records = question.type === TYPE_CNAME ? aliases.slice(0, 1) : [...aliases, ...rest]
  // A response, authoritative, recursion desired and available.
  const flags = 0x8580 | (rcode === undefined ? 0 : RCODES[rcode])
  const head = [question.id, flags, 1, records.length, 0, 0].map(u16)
  return Buffer.concat([...head, question.wire, ...records])
}

/** The records of the type that is asked for. */
function dataOf({ type }: Question, { addresses = [], texts = [] }: DnsAnswer): Buffer[] {
  if (type === TYPE_TXT) return texts.map((strings) => encodeText([strings].flat()))
  const family = TYPES[type] === 'A' ? 'ipv4' : 'ipv6'
  return addresses
    .map((text) => ipaddr.parse(text))
    .filter((address) => address.kind() === family)
    .map((address) => Buffer.from(address.toByteArray()))
}

/** Strings of at most 255 bytes each. */
function encodeText(strings: readonly string[]): Buffer {
  return Buffer.concat(
    strings.flatMap((text) => [Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]),
  )
}

/** The header with the "truncated" bit and the question, without records. */
function truncated(reply: Buffer, packet: Buffer): Buffer {
  const { wire } = parseQuestion(packet)
  return Buffer.concat([
    reply.subarray(0, 2),
    u16(reply.readUInt16BE(2) | 0x0200),
    u16(1),
    u16(0),
    u16(0),
    u16(0),
    wire,
  ])
}

function record(owner: string, type: number, ttl: number, data: Buffer): Buffer {
  const ttlBytes = Buffer.alloc(4)
  ttlBytes.writeUInt32BE(ttl)
  return Buffer.concat([encodeName(owner), u16(type), u16(1), ttlBytes, u16(data.length), data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

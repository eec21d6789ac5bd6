/** Writes small MMDB files (MaxMind DB 2.0), for tests of every layout of a record. */

type Value = string | number | boolean | Value[] | { [key: string]: Value }
type Node = { children: [Node | null, Node | null]; record: Value | null }

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/**
 * An IPv4 database of `{ '203.0.113.0/24': record }`.
 * @param about what its metadata says
 */
export function mmdb(
  networks: Record<string, Value>,
  about: { type?: string; builtAt?: Date } = {},
): Buffer {
  const root: Node = { children: [null, null], record: null }
  for (const [network, record] of Object.entries(networks)) insert(root, network, record)
  const nodes: Node[] = []
  number(root, nodes)
  const data: Buffer[] = []
  let dataLength = 0
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((node, at) => {
    node.children.forEach((child, bit) => {
      let pointer = nodes.length
      if (child && child.record !== null) {
        const bytes = encode(child.record)
        pointer = nodes.length + 16 + dataLength
        data.push(bytes)
        dataLength += bytes.length
      } else if (child) {
        pointer = nodes.indexOf(child)
      }
      tree.writeUIntBE(pointer, at * 6 + bit * 3, 3)
    })
  })
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 4,
    database_type: about.type ?? 'test',
    languages: [],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: (about.builtAt?.getTime() ?? 0) / 1000,
    description: {},
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, MARKER, metadata])
}

function insert(root: Node, network: string, record: Value): void {
  const [address = '', length = '32'] = network.split('/')
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  let node = root
  for (const bit of bits.slice(0, Number(length)).split('').map(Number)) {
    node.children[bit as 0 | 1] ??= { children: [null, null], record: null }
    node = node.children[bit as 0 | 1]!
  }
  node.record = record
}

function number(node: Node, nodes: Node[]): void {
  if (node.record !== null) return
  nodes.push(node)
  for (const child of node.children) if (child) number(child, nodes)
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(2, bytes.length), bytes])
  }
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (typeof value === 'number' && (value < 0 || !Number.isInteger(value))) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value)
    return Buffer.concat([control(3, 8), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, entry]) => [encode(key), encode(entry)]),
  ])
}

function control(type: number, size: number): Buffer {
  const [length, extra] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from(type < 8 ? [(type << 5) | length, ...extra] : [length, type - 7, ...extra])
}

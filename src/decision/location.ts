import type { Utm } from './link.ts'

export type Location = { location: string; utm: Utm; trigger: 'link' | 'qr' }

const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const NOTHING: Utm = ['', '', '', '', '']

/** Bytes of kept parameters stay. Precedence, lowest first: the destination's, the link's UTM, the visitor's. */
export function buildLocation(destination: string, linkUtm: Utm, query: string): Location {
  const visitor = splitVisitor(query)
  const hasUtm = linkUtm.some((value) => value !== '')
  // The API stores ASCII, but a row may have been written by hand.
  const target = toAscii(destination, 'utf8')
  const { base, own, hash } = splitDestination(target)
  if (!hasUtm && visitor.pairs.length === 0)
    return { location: target, utm: readUtm(own), trigger: visitor.trigger }

  const pairs = withVisitor(hasUtm ? withUtm(own, linkUtm) : own, visitor.pairs)
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  return { location: `${base}${search}${hash}`, utm: readUtm(pairs), trigger: visitor.trigger }
}

function splitDestination(destination: string): { base: string; own: string[]; hash: string } {
  const hashAt = destination.indexOf('#')
  const hash = hashAt === -1 ? '' : destination.slice(hashAt)
  const rest = hashAt === -1 ? destination : destination.slice(0, hashAt)
  const queryAt = rest.indexOf('?')
  if (queryAt === -1) return { base: rest, own: [], hash }
  const query = rest.slice(queryAt + 1)
  return { base: rest.slice(0, queryAt), own: query === '' ? [] : query.split('&'), hash }
}

export function withParameter(destination: string, name: string, value: string): string {
  const { base, own, hash } = splitDestination(destination)
  if (own.some((pair) => readName(pair) === name)) return destination
  return `${base}?${[...own, `${name}=${value}`].join('&')}${hash}`
}

export function withLastParameter(location: string, name: string, value: string): string {
  const { base, own, hash } = splitDestination(location)
  const others = own.filter((pair) => readName(pair) !== name)
  return `${base}?${[...others, `${name}=${value}`].join('&')}${hash}`
}

export function withoutParameter(location: string, name: string): string {
  const { base, own, hash } = splitDestination(location)
  const others = own.filter((pair) => readName(pair) !== name)
  if (others.length === own.length) return location
  return `${base}${others.length > 0 ? `?${others.join('&')}` : ''}${hash}`
}

export function readParameters(query: string): URLSearchParams {
  return new URLSearchParams(splitVisitor(query).all.join('&'))
}

export function readTrigger(query: string): Location['trigger'] {
  return splitVisitor(query).trigger
}

export function readQueryUtm(query: string): Utm {
  return readUtm(splitVisitor(query).all)
}

/** `all` includes `qr=1`, `pairs` does not. */
function splitVisitor(query: string): { all: string[]; pairs: string[]; trigger: 'link' | 'qr' } {
  if (query === '') return { all: [], pairs: [], trigger: 'link' }
  const hashAt = query.indexOf('#')
  const search = hashAt === -1 ? query : query.slice(0, hashAt)
  // node:http passes bytes that are not encoded as Latin-1 characters.
  const pairs = toAscii(search, 'latin1').split('&').filter(Boolean)
  const kept = pairs.filter((pair) => pair !== 'qr=1')
  return { all: pairs, pairs: kept, trigger: kept.length === pairs.length ? 'link' : 'qr' }
}

function withUtm(own: readonly string[], utm: Utm): string[] {
  const pairsByName = new Map<string, string>()
  for (const [i, name] of UTM_NAMES.entries())
    if (utm[i]) pairsByName.set(name, `${name}=${encodeURIComponent(utm[i].toWellFormed())}`)
  const replaced = new Set<string>()
  const pairs: string[] = []
  for (const pair of own) {
    const name = readName(pair)
    const set = pairsByName.get(name)
    if (set === undefined) pairs.push(pair)
    else if (!replaced.has(name)) pairs.push(set)
    if (set !== undefined) replaced.add(name)
  }
  for (const [name, pair] of pairsByName) if (!replaced.has(name)) pairs.push(pair)
  return pairs
}

/** The visitor's parameters replace all others of the same name, and come last. */
function withVisitor(pairs: string[], visitor: readonly string[]): string[] {
  if (visitor.length === 0) return pairs
  const names = new Set(visitor.map(readName))
  return [...pairs.filter((pair) => !names.has(readName(pair))), ...visitor]
}

function readUtm(pairs: readonly string[]): Utm {
  if (!pairs.some((pair) => pair.includes('utm') || pair.includes('%'))) return NOTHING
  const found = new Map<string, string>()
  for (const pair of pairs) {
    const name = readName(pair)
    if (!found.has(name)) found.set(name, decode(pair.slice(pair.indexOf('=') + 1 || pair.length)))
  }
  const [source, medium, campaign, term, content] = UTM_NAMES.map((name) => found.get(name) ?? '')
  return [source!, medium!, campaign!, term!, content!]
}

function readName(pair: string): string {
  const equals = pair.indexOf('=')
  return decode(equals === -1 ? pair : pair.slice(0, equals))
}

/** Form decoding that never throws: invalid UTF-8 stays encoded. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** Percent-encodes characters that are invalid in header values and URLs. */
export function toAscii(text: string, encoding: 'utf8' | 'latin1'): string {
  if (PRINTABLE.test(text)) return text
  return text.replace(/[^!-~]+/g, (run) => {
    let out = ''
    for (const byte of Buffer.from(run, encoding))
      out += `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
    return out
  })
}

const PRINTABLE = /^[!-~]*$/

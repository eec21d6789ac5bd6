import type { Utm } from './link.ts'

/**
 * The target of a redirect. Everything is done on the text of the destination: what is not
 * replaced stays byte for byte, and what stands before its query (scheme, user, host, port, path)
 * is never touched. Precedence of query parameters, lowest first: the destination's own, the UTM
 * parameters of the link, the visitor's.
 */

export type Location = { location: string; utm: Utm; trigger: 'link' | 'qr' }

const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const NOTHING: Utm = ['', '', '', '', '']

/**
 * @param destination an absolute http(s) URL
 * @param query the visitor's raw query, '' when there is none; `qr=1` in it is consumed
 */
export function buildLocation(destination: string, linkUtm: Utm, query: string): Location {
  const visitor = splitVisitor(query)
  const hasUtm = linkUtm.some((value) => value !== '')
  // Stored destinations are ASCII already, unless somebody wrote a row by hand.
  const target = ascii(destination, 'utf8')
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

function splitVisitor(query: string): { pairs: string[]; trigger: 'link' | 'qr' } {
  if (query === '') return { pairs: [], trigger: 'link' }
  const hashAt = query.indexOf('#')
  const search = hashAt === -1 ? query : query.slice(0, hashAt)
  // A browser encodes; for others node:http hands each byte over as one Latin-1 character.
  const pairs = ascii(search, 'latin1').split('&').filter(Boolean)
  const kept = pairs.filter((pair) => pair !== 'qr=1')
  return { pairs: kept, trigger: kept.length === pairs.length ? 'link' : 'qr' }
}

/** Sets the link's UTM parameters: the first of a name is replaced in place, others are removed. */
function withUtm(own: readonly string[], utm: Utm): string[] {
  const todo = new Map<string, string>()
  for (const [i, name] of UTM_NAMES.entries())
    if (utm[i]) todo.set(name, `${name}=${encodeURIComponent(utm[i].toWellFormed())}`)
  const replaced = new Set<string>()
  const pairs: string[] = []
  for (const pair of own) {
    const name = nameOf(pair)
    const set = todo.get(name)
    if (set === undefined) pairs.push(pair)
    else if (!replaced.has(name)) pairs.push(set)
    if (set !== undefined) replaced.add(name)
  }
  for (const [name, pair] of todo) if (!replaced.has(name)) pairs.push(pair)
  return pairs
}

/** The visitor's parameters replace all of the same name, and follow the others in their order. */
function withVisitor(pairs: string[], visitor: readonly string[]): string[] {
  if (visitor.length === 0) return pairs
  const names = new Set(visitor.map(nameOf))
  return [...pairs.filter((pair) => !names.has(nameOf(pair))), ...visitor]
}

function readUtm(pairs: readonly string[]): Utm {
  if (!pairs.some((pair) => pair.includes('utm') || pair.includes('%'))) return NOTHING
  const found = new Map<string, string>()
  for (const pair of pairs) {
    const name = nameOf(pair)
    if (!found.has(name)) found.set(name, decode(pair.slice(pair.indexOf('=') + 1 || pair.length)))
  }
  const [source, medium, campaign, term, content] = UTM_NAMES.map((name) => found.get(name) ?? '')
  return [source!, medium!, campaign!, term!, content!]
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=')
  return decode(equals === -1 ? pair : pair.slice(0, equals))
}

/** Form decoding that takes anything: what is no UTF-8 stays as it is. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** The text with everything percent-encoded that no header value, and no URL, may hold. */
function ascii(text: string, encoding: 'utf8' | 'latin1'): string {
  if (PRINTABLE.test(text)) return text
  return text.replace(/[^!-~]+/g, (run) => {
    let out = ''
    for (const byte of Buffer.from(run, encoding))
      out += `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
    return out
  })
}

const PRINTABLE = /^[!-~]*$/

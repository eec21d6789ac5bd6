/** A web address as people write it: without its scheme, and without the slash of an empty path. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}

const HOST = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]+$/u
const LOCAL = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])$/i

/** What the user typed as an address: `example.com/page` gets the scheme that people leave out. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  const [host = ''] = text.split(/[/?#]/)
  const name = host.replace(/:\d+$/, '')
  return HOST.test(name) || LOCAL.test(name) ? `https://${text}` : text
}

/** Whether it is the address of a page. */
export function isWebAddress(typed: string): boolean {
  const url = URL.parse(withScheme(typed))
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

/** The name of a link without one: its host and path. */
export function nameFor(destinationUrl: string): string {
  try {
    const { hostname, pathname } = new URL(destinationUrl)
    return (hostname + (pathname === '/' ? '' : pathname)).slice(0, 100)
  } catch {
    return destinationUrl.slice(0, 100)
  }
}

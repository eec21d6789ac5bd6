const MAX_CHARS = 1_024
/** Our own paths have fewer layers of percent-encoding; more are a sign of an attack. */
const MAX_DECODINGS = 3
const HOME = '/'
const BASE = 'http://here.invalid'

const OWN_AREA = /^\/(?:v1|app)\//

/**
 * The path if it leads to the dashboard or the API, else the home page: any other path may be a short link to another
 * site. Also refuses text that a browser, or a proxy that decodes first, could read as another host or path.
 */
export function returnPathOf(requested: string | undefined): string {
  if (requested === undefined || requested.length > MAX_CHARS) return HOME
  let read = requested
  for (let decodings = 0; ; decodings++) {
    if (!isOwnPath(read) || !isOwnArea(read)) return HOME
    if (decodings === MAX_DECODINGS) return HOME
    const decoded = decode(read)
    if (decoded === null || decoded === read) break
    read = decoded
  }
  const url = new URL(requested, BASE)
  const path = `${url.pathname}${url.search}${url.hash}`
  return isOwnPath(path) ? path : HOME
}

/** Resolved like in a browser: `/..//host` becomes `//host`, and `/app/../x` becomes `/x`. */
function isOwnArea(text: string): boolean {
  if (!URL.canParse(text, BASE)) return false
  const { origin, pathname } = new URL(text, BASE)
  return origin === BASE && (pathname === HOME || OWN_AREA.test(pathname))
}

function isOwnPath(text: string): boolean {
  return /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

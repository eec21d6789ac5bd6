const MAX_CHARS = 1_024
/** Nothing of ours is percent-encoded more often than this; what is, has something to hide. */
const MAX_DECODINGS = 3
const HOME = '/'
const BASE = 'http://here.invalid'

/** The paths of the API and of the dashboard. Any other path may be a short link to another site. */
const OWN_AREA = /^\/(?:v1|app)\//

/**
 * Where a browser goes after signing in: `/`, or a path below `/v1/` or `/app/` as it was asked for.
 * `/` replaces any other path, since a short link leads away from this origin, and any text that a
 * browser, or a proxy that decodes first, could read as another host or as another path.
 */
export function returnPathOf(asked: string | undefined): string {
  if (asked === undefined || asked.length > MAX_CHARS) return HOME
  let read = asked
  for (let decodings = 0; ; decodings++) {
    if (!isOwnPath(read) || !isOwnArea(read)) return HOME
    if (decodings === MAX_DECODINGS) return HOME
    const decoded = decode(read)
    if (decoded === null || decoded === read) break
    read = decoded
  }
  const url = new URL(asked, BASE)
  const path = `${url.pathname}${url.search}${url.hash}`
  return isOwnPath(path) ? path : HOME
}

/** As a browser reads it: `/..//host` turns into `//host`, and `/app/../x` into `/x`. */
function isOwnArea(text: string): boolean {
  if (!URL.canParse(text, BASE)) return false
  const { origin, pathname } = new URL(text, BASE)
  return origin === BASE && (pathname === HOME || OWN_AREA.test(pathname))
}

function isOwnPath(text: string): boolean {
  return /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)
}

/** @returns null for what is not (or no longer) percent-encoded text */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const MAX_CHARS = 1_024
/** Nothing of ours is percent-encoded more often than this; what is, has something to hide. */
const MAX_DECODINGS = 3
const HOME = '/'

/**
 * Where a browser goes after signing in: a path of this origin as it was asked for, or `/` for
 * whatever could be read as another host, by a browser or by a proxy that decodes first.
 */
export function returnPathOf(asked: string | undefined): string {
  if (asked === undefined || asked.length > MAX_CHARS) return HOME
  let read = asked
  for (let decodings = 0; ; decodings++) {
    if (!isOwnPath(read)) return HOME
    if (decodings === MAX_DECODINGS) return HOME
    const decoded = decode(read)
    if (decoded === null || decoded === read) break
    read = decoded
  }
  // As the browser will read it: `/..//host` turns into `//host`.
  const url = new URL(asked, 'http://here.invalid')
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.host === 'here.invalid' && isOwnPath(path) ? path : HOME
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

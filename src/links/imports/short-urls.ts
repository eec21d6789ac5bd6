/** A cell that names the short link of a row. */
export type GivenSlug = {
  slug: string
  /** The host that it names; null for a slug alone. */
  host: string | null
  /** Short URLs in the cell, of which the first counts. */
  count: number
}

const URL_START = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i
/** A name with a dot before a word, an address, or anything with a port. A slug such as `v1.2/notes` is none. */
const HOST =
  /^(?:localhost|[^\s/:]+\.\p{L}[\p{L}\p{N}-]*|\d{1,3}(?:\.\d{1,3}){3}|[^\s/:]+:\d{1,5})$/u

/**
 * Reads a cell of short URLs, with or without their schemes. A text without a host is the slug itself, and is
 * checked as one later.
 */
export function readShortUrls(cell: string): GivenSlug {
  const text = cell.trim()
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const isList = parts.length > 1 && parts.every((part) => splitHost(part).host !== null)
  const { host, path } = splitHost(isList ? parts[0]! : text)
  const slug = host === null ? path.replace(/^\//, '') : toSlug(path)
  return { slug, host, count: isList ? parts.length : 1 }
}

function splitHost(text: string): { host: string | null; path: string } {
  const bare = text.replace(URL_START, '')
  const end = bare.search(/[/?#]/)
  const first = end === -1 ? bare : bare.slice(0, end)
  const isUrl = bare.length < text.length || (end !== -1 && HOST.test(first))
  return isUrl
    ? { host: first.toLowerCase(), path: bare.slice(first.length) }
    : { host: null, path: text }
}

/** The path of a URL without its query. */
function toSlug(path: string): string {
  const slug = path.replace(/[?#].*$/s, '').replace(/^\/|\/$/g, '')
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

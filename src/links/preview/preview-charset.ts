import { TextDecoder } from 'node:util'

/** Bytes at the beginning of a page in which a `<meta>` may name its encoding (HTML, 13.2.3.2). */
export const CHARSET_WITHIN_BYTES = 1_024

const BYTE_ORDER_MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i
const META_CHARSET = /<meta[^>]{1,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const UTF_16 = /^utf-16/

/**
 * The decoder of a page: by its byte order mark, else its Content-Type, else its `<meta>`, else UTF-8.
 * @param start at least {@link CHARSET_WITHIN_BYTES} of the page, if it has as many
 */
export function createPageDecoder(start: Buffer, contentType: string): TextDecoder {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => start[i] === byte))
  if (marked) return new TextDecoder(marked[0])
  const named = toDecoder(HEADER_CHARSET.exec(contentType)?.[1])
  if (named) return named
  const text = start.toString('latin1', 0, CHARSET_WITHIN_BYTES)
  const declared = toDecoder(META_CHARSET.exec(text)?.[1])
  // A declaration that can be read as ASCII is not in UTF-16.
  return declared && !UTF_16.test(declared.encoding) ? declared : new TextDecoder()
}

/** Null for an encoding that does not exist. */
function toDecoder(label: string | undefined): TextDecoder | null {
  try {
    return label === undefined ? null : new TextDecoder(label)
  } catch {
    return null
  }
}

/**
 * The `ETag` of a resource: the version of its settings, by their last change. Counts such as `clicks` are
 * not part of it. Strong by its form, since `If-Match` compares strongly (RFC 9110, 13.1.1).
 * @param updatedAt which every change moves forward
 */
export function toEntityTag(updatedAt: string): string {
  return `"${Date.parse(updatedAt).toString(36)}"`
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/
const LIST = new RegExp(`^[ \\t]*${TAG.source}(?:[ \\t]*,[ \\t]*${TAG.source})*[ \\t]*$`)

/**
 * The tags of an `If-Match`. One that a proxy has weakened, as compressing ones do, counts as the tag that it was.
 * @returns null for a text that is neither `*` nor a list of tags; `any` for `*`
 */
export function parseEntityTags(text: string): readonly string[] | 'any' | null {
  if (text.trim() === '*') return 'any'
  if (!LIST.test(text)) return null
  return Array.from(text.matchAll(new RegExp(TAG, 'g')), ([, tag]) => tag!)
}

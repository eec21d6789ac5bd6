/**
 * The `ETag` of a resource. Counts such as `clicks` do not change it. Strong, since `If-Match` compares strongly
 * (RFC 9110, 13.1.1).
 */
export function toEntityTag(updatedAt: string): string {
  return `"${Date.parse(updatedAt).toString(36)}"`
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/
const LIST = new RegExp(`^[ \\t]*${TAG.source}(?:[ \\t]*,[ \\t]*${TAG.source})*[ \\t]*$`)

/**
 * Parses `If-Match`. A tag that a compressing proxy weakened counts as the original.
 * @returns `any` for `*`; null for text that is not a list of tags
 */
export function parseEntityTags(text: string): readonly string[] | 'any' | null {
  if (text.trim() === '*') return 'any'
  if (!LIST.test(text)) return null
  return Array.from(text.matchAll(new RegExp(TAG, 'g')), ([, tag]) => tag!)
}

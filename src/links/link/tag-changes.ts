import { invalid } from '../../platform/core/errors.ts'
import { MAX_TAGS, toTag } from '../tags/tag-names.ts'
import type { UpdateEachLink } from '../write/bulk-schema.ts'
import type { LinkRow } from './row.ts'
import type { UpdateLink } from './schema.ts'

/** A change of the tags of each link that keeps its other ones. */
export type TagChange = { add: readonly string[]; remove: ReadonlySet<string> }

/**
 * Takes the change of tags out of the fields of a bulk update.
 * @throws ApiError VALIDATION_ERROR with the field's path
 */
export function splitTagChange({ addTags, removeTags, ...input }: UpdateEachLink): {
  input: UpdateLink
  tags: TagChange | null
} {
  if (addTags === undefined && removeTags === undefined) return { input, tags: null }
  if (input.tags !== undefined)
    throw invalid('data.tags', 'tags replaces all tags: leave out addTags and removeTags.')
  const add = (addTags ?? []).map((tag, i) => toTag(tag, `data.addTags.${i}`))
  const remove = (removeTags ?? []).map((tag, i) => toTag(tag, `data.removeTags.${i}`))
  return { input, tags: { add, remove: new Set(remove).difference(new Set(add)) } }
}

/**
 * The fields of a change of one link, with the tags that it will have.
 * @throws ApiError VALIDATION_ERROR for more tags than a link has
 */
export function withTags(input: UpdateLink, tags: TagChange | null, before: LinkRow): UpdateLink {
  if (tags === null) return input
  const kept = (before.tags ?? []).filter((tag) => !tags.remove.has(tag))
  const after = [...new Set([...kept, ...tags.add])]
  if (after.length > MAX_TAGS)
    throw invalid('addTags', `The link would have ${after.length} tags, and may have ${MAX_TAGS}.`)
  return { ...input, tags: after }
}

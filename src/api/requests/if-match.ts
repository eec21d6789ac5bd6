import type { IncomingHttpHeaders } from 'node:http'
import { parseEntityTags } from '../../platform/http/entity-tag.ts'
import { invalid } from '../../platform/core/errors.ts'

/**
 * The tags that a write is bound to; undefined for any version: without the header, and for `*`.
 * @throws ApiError VALIDATION_ERROR
 */
export function readIfMatch({
  'if-match': text,
}: IncomingHttpHeaders): readonly string[] | undefined {
  if (text === undefined) return undefined
  const tags = parseEntityTags(text)
  if (tags === null)
    throw invalid('if-match', 'If-Match must be * or ETags of earlier answers, with their quotes.')
  return tags === 'any' ? undefined : tags
}

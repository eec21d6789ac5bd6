import type { LinkOptions } from '../../facts/link-options.ts'
import { toDate } from '../shapes.ts'
import type { UpdateLink } from './schema.ts'

/**
 * Applies the options of a request to the stored ones. Null and the default of an option remove it.
 * @returns undefined if the request has no options; null if all of them have their defaults
 * @throws ApiError VALIDATION_ERROR with the option's path
 */
export function checkOptions(
  input: UpdateLink,
  before: LinkOptions | null,
): LinkOptions | null | undefined {
  const changes = toChanges(input)
  if (Object.keys(changes).length === 0) return undefined
  const options = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  // Sorted, so that equal options are equal texts.
  options.sort(([a], [b]) => (a < b ? -1 : 1))
  return options.length === 0 ? null : (Object.fromEntries(options) as LinkOptions)
}

/** The options that the request sets, null for a default. */
function toChanges(input: UpdateLink): { [name in keyof LinkOptions]?: LinkOptions[name] | null } {
  const changes: ReturnType<typeof toChanges> = {}
  if (input.startsAt !== undefined)
    changes.startsAt =
      input.startsAt === null ? null : toDate(input.startsAt, 'startsAt').toISOString()
  if (input.forwardQuery !== undefined)
    changes.forwardQuery = input.forwardQuery === false ? false : null
  if (input.noindex !== undefined) changes.noindex = input.noindex === true ? true : null
  return changes
}

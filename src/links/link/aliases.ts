import { ApiError, invalid } from '../../platform/core/errors.ts'
import { checkSlug, slugKeyOf } from '../../platform/facts/slug.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkRow } from './row.ts'
import { MAX_ALIASES, type UpdateLink } from './schema.ts'

/** Aliases are further slugs of a link: rows of `link_addresses`, which every edge resolves like a slug. */
type Named = Pick<LinkRow, 'slug' | 'slugKey' | 'aliases' | 'isCaseSensitive'>

/**
 * The aliases of a link after a request, without its slug; undefined if they do not change.
 * @param slug the checked new slug, if the request has one
 * @param rule of the new host
 * @throws ApiError VALIDATION_ERROR with a path such as `aliases.0`
 */
export function checkAliases(
  { aliases, keepAlias }: UpdateLink,
  before: Named | null,
  slug: { slug?: string; slugKey?: string },
  rule: SlugRule,
): string[] | undefined {
  const keyOf = (alias: string) => slugKeyOf(alias, rule.isCaseSensitive)
  const present = before?.aliases ?? []
  const ownKey = slug.slugKey ?? before?.slugKey
  const isRenamed = before !== null && ownKey !== before.slugKey
  if (aliases === undefined && !isRenamed) return undefined
  const after = aliases === undefined ? [...present] : toChosen(aliases ?? [], present, rule)
  if (keepAlias === true && isRenamed) after.push(before.slug)
  const keys = new Set(after.map(keyOf))
  if (ownKey !== undefined) keys.delete(ownKey)
  if (keys.size > MAX_ALIASES)
    throw invalid(
      'keepAlias',
      `A link has at most ${MAX_ALIASES} aliases; it would have ${keys.size}.`,
    )
  const isSame = keys.size === present.length && present.every((alias) => keys.has(keyOf(alias)))
  return isSame ? undefined : after
}

/** Existing aliases keep their spelling and are not checked again. */
function toChosen(input: readonly string[], present: readonly string[], rule: SlugRule): string[] {
  const keyOf = (alias: string) => slugKeyOf(alias, rule.isCaseSensitive)
  const known = new Map(present.map((alias) => [keyOf(alias), alias]))
  return input.map((alias, i) => {
    return known.get(keyOf(alias)) ?? toSlug(alias, rule, `aliases.${i}`).slug
  })
}

export type SlugRule = { host: 'shared' | 'branded'; isCaseSensitive: boolean }

export function toSlug(input: string, { host, isCaseSensitive }: SlugRule, path: string) {
  const checked = checkSlug(input, host, isCaseSensitive)
  if ('problem' in checked) throw invalid(path, checked.problem, 'invalid_slug')
  return { slug: checked.slug, slugKey: checked.key }
}

/** The slug wins over an alias with the same key. */
export function addressesOf(link: Named): Map<string, string> {
  const { slug, slugKey: key, aliases = [], isCaseSensitive } = link
  const keys = aliases.map((alias) => [slugKeyOf(alias, isCaseSensitive), alias] as const)
  return new Map([...keys, [key, slug]])
}

export function keyTaken(key: string, link: Named): ApiError {
  const path = pathOfKey(key, link)
  const message = `This ${path === 'slug' ? 'slug' : 'alias'} is taken.`
  return new ApiError('CONFLICT', message, [{ path, message, code: 'taken' }])
}

export function pathOfKey(key: string, link: Named): string {
  const { slugKey: own, aliases = [], isCaseSensitive } = link
  if (key === own) return 'slug'
  return `aliases.${aliases.findIndex((alias) => slugKeyOf(alias, isCaseSensitive) === key)}`
}

export function aliasesOf(tx: Tx) {
  return tx`array(
    select a.slug from link_addresses a
    where a.link_id = l.id and a.is_alias and a.workspace_id = l.workspace_id
    order by a.slug_key) as aliases`
}

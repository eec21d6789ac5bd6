import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { LabelRow } from '../questions/counting.ts'
import { toMeta } from '../questions/question.ts'
import { countAll, NOTHING_EARNED, type Earned } from './conversions.ts'
import type { TopLinksQuery } from './schema.ts'

/** The links with the most clicks of the period, with links that were deleted since. */
export async function topLinks(
  deps: AnalyticsDeps,
  principal: Principal,
  query: TopLinksQuery,
  signal?: AbortSignal,
) {
  const { limit, offset } = query
  const { counted, earned, question } = await ask(
    deps,
    principal,
    { name: 'top-links', query, signal },
    (read, asked) => countAll(read, asked, { topLinks: { limit, offset } }),
  )
  return page(await nameLinks(deps, principal, counted.links, earned.links), {
    ...toMeta(question, earned),
    limit,
    offset,
    approximate: counted.isApproximate,
  })
}

/** Rows of links as answers show them, the most clicked first. */
export async function nameLinks(
  { sql, toShortUrl }: Pick<AnalyticsDeps, 'sql' | 'toShortUrl'>,
  { workspaceId }: Principal,
  links: readonly LabelRow[],
  earned: ReadonlyMap<string, Earned>,
) {
  const ids = links.map(({ label }) => label)
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; name: string; slug: string; hostname: string | null }[]>`
      select l.id, l.name, l.slug,
        (select d.hostname from domains d
          where d.id = l.domain_id and d.workspace_id = l.workspace_id) as hostname
      from links l where l.workspace_id = ${workspaceId} and l.id = any(${ids}::text[])`,
  )
  const named = new Map(
    rows.map(({ id, name, slug, hostname }) => [
      id,
      { id, name, slug, shortUrl: toShortUrl(hostname, slug) },
    ]),
  )
  return links
    .toSorted((a, b) => b.clicks - a.clicks || (a.label < b.label ? -1 : 1))
    .map(({ label: id, clicks, visitors }) => ({
      link: named.get(id) ?? { id, name: null, slug: null, shortUrl: null },
      clicks,
      uniqueVisitors: visitors,
      ...(earned.get(id) ?? NOTHING_EARNED),
    }))
}

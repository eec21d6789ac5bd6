import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { countConversions, NOTHING_EARNED, type Earned } from './conversions.ts'
import type { LabelRow } from '../questions/counted.ts'
import { count } from '../questions/counting.ts'
import { readQuestion, toMeta, type AnalyticsDeps } from '../questions/question.ts'
import type { TopLinksQuery } from './schema.ts'

/** The links with the most clicks of the period, with those that were deleted since. */
export async function topLinks(
  deps: AnalyticsDeps,
  principal: Principal,
  query: TopLinksQuery,
  signal?: AbortSignal,
) {
  const { limit, offset } = query
  const question = await readQuestion(deps, principal, {}, query, signal)
  const key = JSON.stringify(['top-links', principal.workspaceId, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const both = await deps.reader.run(principal, stop, async (read) => {
      const counted = await count(read, question, { topLinks: { limit, offset } })
      const linkIds = counted.links.map(({ label }) => label)
      return { counted, earned: await countConversions(read, question, { linkIds }) }
    })
    const rows = await nameLinks(deps, principal, both.counted.links, both.earned.links)
    return { ...both, rows, ...question }
  })
  return page(answer.rows, {
    ...toMeta(answer, answer.earned),
    limit,
    offset,
    approximate: answer.counted.isApproximate,
  })
}

/** Rows of links as answers show them, the most clicked first. */
export async function nameLinks(
  {
    sql,
    toShortUrl,
  }: { sql: TenantSql; toShortUrl: (hostname: string | null, slug: string) => string },
  principal: Principal,
  links: readonly LabelRow[],
  earned: ReadonlyMap<string, Earned>,
) {
  const ids = links.map(({ label }) => label)
  const rows = await inWorkspace(
    sql,
    principal.workspaceId,
    (tx) => tx<{ id: string; name: string; slug: string; hostname: string | null }[]>`
      select l.id, l.name, l.slug,
        (select d.hostname from domains d
          where d.id = l.domain_id and d.workspace_id = l.workspace_id) as hostname
      from links l where l.workspace_id = ${principal.workspaceId} and l.id = any(${ids}::text[])`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return links
    .toSorted((a, b) => b.clicks - a.clicks || (a.label < b.label ? -1 : 1))
    .map(({ label, clicks, visitors }) => {
      const row = byId.get(label)
      const link = row
        ? {
            id: row.id,
            name: row.name,
            slug: row.slug,
            shortUrl: toShortUrl(row.hostname, row.slug),
          }
        : { id: label, name: null, slug: null, shortUrl: null }
      const { conversions, value } = earned.get(label) ?? NOTHING_EARNED
      return { link, clicks, uniqueVisitors: visitors, conversions, value }
    })
}

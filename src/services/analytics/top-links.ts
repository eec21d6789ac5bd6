import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type TenantSql } from '../../storage/postgres.ts'
import { countConversions, NOTHING_EARNED, type Earned } from './conversions.ts'
import type { LabelRow } from './counted.ts'
import { count } from './counting.ts'
import { readQuestion, toMeta, type AnalyticsDeps } from './question.ts'
import type { TopLinksQuery } from './schema.ts'

/** The links with the most clicks of the period, with those that were deleted since. */
export async function topLinks(
  deps: AnalyticsDeps,
  who: Who,
  query: TopLinksQuery,
  signal?: AbortSignal,
) {
  const { limit, offset } = query
  const question = await readQuestion(deps, who, {}, query, signal)
  const key = JSON.stringify(['top-links', who.workspaceId, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const both = await deps.reader.run(who, stop, async (read) => {
      const counted = await count(read, question, { topLinks: { limit, offset } })
      const linkIds = counted.links.map(({ label }) => label)
      return { counted, earned: await countConversions(read, question, { linkIds }) }
    })
    const rows = await nameLinks(deps, who, both.counted.links, both.earned.links)
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
  who: Who,
  links: readonly LabelRow[],
  earned: ReadonlyMap<string, Earned>,
) {
  const ids = links.map(({ label }) => label)
  const rows = await inWorkspace(
    sql,
    who.workspaceId,
    (tx) => tx<{ id: string; name: string; slug: string; hostname: string | null }[]>`
      select l.id, l.name, l.slug,
        (select d.hostname from domains d
          where d.id = l.domain_id and d.workspace_id = l.workspace_id) as hostname
      from links l where l.workspace_id = ${who.workspaceId} and l.id = any(${ids}::text[])`,
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

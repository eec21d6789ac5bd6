import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { requireOwn } from '../../platform/resources/own.ts'
import { bioPage } from './bio-page.ts'
import { breakdown, breakdowns } from './breakdowns.ts'
import { dub } from '../dub/dub.ts'
import { campaign, domain, link, overview } from './overview.ts'
import type { AnalyticsDeps } from '../questions/question.ts'
import { ClickReader } from '../questions/reader.ts'
import { shared } from './shared.ts'
import { SharedAnswers } from './shared-answers.ts'
import { summary } from './summary.ts'
import { timeseries } from './timeseries.ts'
import { topLinks } from './top-links.ts'
import { values } from '../questions/values.ts'

type Deps = Pick<AnalyticsDeps, 'sql' | 'reads' | 'clickhouse' | 'clock' | 'plans' | 'toShortUrl'> &
  Partial<Pick<AnalyticsDeps, 'shippedThroughMs' | 'reader'>>

export type Analytics = ReturnType<typeof createAnalytics>

/** Click statistics. ClickHouse has the numbers, PostgreSQL the links and what they belong to. */
export function createAnalytics(deps: Deps) {
  const bound: AnalyticsDeps = {
    shippedThroughMs: async () => Infinity,
    reader: new ClickReader(deps.clickhouse),
    ...deps,
    answers: new SharedAnswers(),
  }
  const rules = { link, overview, campaign, domain, timeseries, breakdowns, breakdown, topLinks }
  return bindDeps(bound, {
    findLink,
    findCampaign,
    findDomain,
    findBioPage,
    ...rules,
    bioPage,
    summary,
    shared,
    values,
    dub,
  })
}

function findLink(
  { sql }: AnalyticsDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  return requireOwn(sql, principal, 'links', params['id'], 'link')
}

function findCampaign(
  { sql }: AnalyticsDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  return requireOwn(sql, principal, 'campaigns', params['id'], 'campaign')
}

function findDomain(
  { sql }: AnalyticsDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  return requireOwn(sql, principal, 'domains', params['id'], 'domain')
}

function findBioPage(
  { sql }: AnalyticsDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  return requireOwn(sql, principal, 'bio_pages', params['id'], 'page')
}

import { bindDeps } from '../../platform/core/functions.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { requireOwn } from '../../platform/resources/ownership.ts'
import { dub } from '../dub/dub.ts'
import { SharedAnswers, type AnalyticsDeps } from '../questions/ask.ts'
import { ClickReader } from '../questions/reader.ts'
import { bioPage } from './bio-page.ts'
import { breakdown, breakdowns } from './breakdowns.ts'
import { domain, link, overview } from './overview.ts'
import { shared, summary } from './summary.ts'
import { timeseries } from './timeseries.ts'
import { topLinks } from './top-links.ts'
import { values } from './values.ts'

type Deps = Pick<AnalyticsDeps, 'sql' | 'reads' | 'clickhouse' | 'clock' | 'plans' | 'toShortUrl'> &
  Partial<Pick<AnalyticsDeps, 'shippedThroughMs' | 'reader'>>

export type Analytics = ReturnType<typeof createAnalytics>

/** ClickHouse has the numbers, PostgreSQL the links and what they belong to. */
export function createAnalytics(deps: Deps) {
  const bound: AnalyticsDeps = {
    shippedThroughMs: async () => Infinity,
    reader: new ClickReader(deps.clickhouse),
    ...deps,
    answers: new SharedAnswers(),
  }
  return bindDeps(bound, {
    findLink: find('links', 'link'),
    findCampaign: find('campaigns', 'campaign'),
    findDomain: find('domains', 'domain'),
    findBioPage: find('bio_pages', 'page'),
    ...{ link, overview, domain, timeseries, breakdowns, breakdown, topLinks },
    ...{ bioPage, summary, shared, values, dub },
  })
}

function find(table: string, noun: string) {
  return ({ sql }: AnalyticsDeps, principal: Principal, params: Record<string, string>) =>
    requireOwn(sql, principal, table, params['id'], noun)
}

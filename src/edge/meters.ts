import { Counter, Gauge, type Registry } from 'prom-client'
import type { Journal } from '../journal/writer.ts'
import type { AnyPage } from './pages.ts'
import type { Resolver } from './resolve.ts'

/**
 * The edge's share of the law (answered = journaled + dropped) and the state of its caches. Plain
 * numbers on the way of a redirect; they become metrics when somebody reads them.
 */
export type Meters = ReturnType<typeof createMeters>

export function createMeters(
  registry: Registry,
  resolver: Pick<Resolver, 'stats'>,
  journal: Pick<Journal, 'stats'>,
) {
  let answered = 0
  const pages = new Map<AnyPage, number>()

  function counter(name: string, help: string, read: () => number): void {
    registry.registerMetric(
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset()
          this.inc(read())
        },
      }),
    )
  }

  function counters(
    name: string,
    help: string,
    label: string,
    read: () => Iterable<[string, number]>,
  ): void {
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset()
          for (const [value, count] of read()) this.inc({ [label]: value }, count)
        },
      }),
    )
  }

  function gauge(name: string, help: string, read: () => number): void {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      }),
    )
  }

  counter(
    'signpost_redirects_answered_total',
    'GETs that were answered with a redirect.',
    () => answered,
  )
  counters('signpost_pages_total', 'Answers that were a page, by page.', 'page', () => pages)
  counter(
    'signpost_clicks_journaled_total',
    'Clicks written before their answer.',
    () => journal.stats().journaled,
  )
  counters(
    'signpost_clicks_dropped_total',
    'Clicks answered although the journal could not keep them, by reason.',
    'reason',
    () => Object.entries(journal.stats().dropped),
  )
  counters(
    'signpost_clicks_refused_total',
    'Redirects refused because the journal could not keep their click, by reason.',
    'reason',
    () => Object.entries(journal.stats().refused),
  )
  gauge(
    'signpost_journal_bytes',
    'Upper bound of what all journals take on the disk.',
    () => journal.stats().bytes,
  )
  counter(
    'signpost_links_served_stale_total',
    'Links served from memory while changes could not be heard.',
    () => resolver.stats().stale,
  )
  counter(
    'signpost_links_unavailable_total',
    'Requests for links that the database did not say anything about in time.',
    () => resolver.stats().unavailable,
  )
  counter(
    'signpost_link_queries_total',
    'Queries for links, each for many of them.',
    () => resolver.stats().queries,
  )
  gauge('signpost_links_cached', 'Links in memory.', () => resolver.stats().cachedLinks)
  gauge('signpost_links_hearing', '1 while changes of links are heard.', () =>
    resolver.stats().isConnected ? 1 : 0,
  )

  return {
    answered: () => answered,
    redirected: () => {
      answered++
    },
    page: (page: AnyPage) => {
      pages.set(page, (pages.get(page) ?? 0) + 1)
    },
  }
}

import { Histogram, type Registry } from 'prom-client'
import { createReadMetrics } from '../../platform/processes/metrics.ts'
import type { Journal } from '../../clicks/journal/writer.ts'
import type { CountedPage } from '../pages/pages.ts'
import type { Quotas } from '../links/quotas.ts'
import type { Resolver } from '../links/resolve.ts'

type Sources = {
  resolver: Pick<Resolver, 'stats'>
  journal: Pick<Journal, 'stats'>
  quotas: Pick<Quotas, 'stats'>
}

const MEASURED_EACH = 16

/** Metrics of the edge. Invariant: answered = journaled + dropped. */
export class Meters {
  #answered = 0
  #arrived = 0
  readonly #seconds: Histogram
  readonly #pages = new Map<CountedPage, number>()

  constructor(registry: Registry, { resolver, journal, quotas }: Sources) {
    const { counter } = createReadMetrics(registry)
    counter(
      'signpost_redirects_answered_total',
      'GET requests answered with a redirect, the page of an app link, or a bio page.',
      () => this.#answered,
    )
    counter(
      'signpost_pages_total',
      'Requests answered with a page, by page.',
      () => this.#pages,
      'page',
    )
    this.#seconds = new Histogram({
      name: 'signpost_redirect_seconds',
      help: 'Time from a request to its redirect, of every sixteenth request.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers: [registry],
    })
    registerJournal(registry, journal)
    registerLinks(registry, resolver)
    registerQuotas(registry, quotas)
  }

  answered(): number {
    return this.#answered
  }

  /** Whether to measure the next request; measuring costs a part of a redirect. */
  measuresNext(): boolean {
    return ++this.#arrived % MEASURED_EACH === 0
  }

  /** @param arrivedAtMs 0 if not measured */
  countRedirect(arrivedAtMs: number): void {
    this.#answered++
    if (arrivedAtMs > 0) this.#seconds.observe((performance.now() - arrivedAtMs) / 1_000)
  }

  countView(): void {
    this.#answered++
    this.countPage('bio')
  }

  countPage(page: CountedPage): void {
    this.#pages.set(page, (this.#pages.get(page) ?? 0) + 1)
  }
}

function registerJournal(registry: Registry, journal: Pick<Journal, 'stats'>): void {
  const { counter, gauge } = createReadMetrics(registry)
  counter(
    'signpost_clicks_journaled_total',
    'Clicks written to the journal before their answer.',
    () => journal.stats().journaled,
  )
  counter(
    'signpost_clicks_dropped_total',
    'Clicks answered although the journal could not write them, by reason.',
    () => Object.entries(journal.stats().dropped),
    'reason',
  )
  counter(
    'signpost_clicks_refused_total',
    'Redirects refused because the journal could not write their click, by reason.',
    () => Object.entries(journal.stats().refused),
    'reason',
  )
  gauge(
    'signpost_journal_bytes',
    'Upper bound of the bytes of all journals on the disk.',
    () => journal.stats().bytes,
    undefined,
    'max',
  )
}

function registerLinks(registry: Registry, resolver: Pick<Resolver, 'stats'>): void {
  const { counter, gauge } = createReadMetrics(registry)
  counter(
    'signpost_links_served_stale_total',
    'Links served from memory while their changes could not be received.',
    () => resolver.stats().stale,
  )
  counter(
    'signpost_links_unavailable_total',
    'Requests for links that the database did not answer in time.',
    () => resolver.stats().unavailable,
  )
  counter(
    'signpost_link_queries_total',
    'Queries for links, each for many of them.',
    () => resolver.stats().queries,
  )
  gauge('signpost_links_cached', 'Links in memory.', () => resolver.stats().cachedLinks)
  gauge(
    'signpost_links_hearing',
    '1 while changes of links are received.',
    () => Number(resolver.stats().isConnected),
    undefined,
    'min',
  )
}

function registerQuotas(registry: Registry, quotas: Pick<Quotas, 'stats'>): void {
  const { counter, gauge } = createReadMetrics(registry)
  counter(
    'signpost_link_quota_statements_total',
    'Statements that count the redirects of links with maxClicks, each for many of them.',
    () => quotas.stats().statements,
  )
  counter(
    'signpost_link_quota_unavailable_total',
    'Requests for links with maxClicks that the database did not answer in time.',
    () => quotas.stats().unavailable,
  )
  gauge(
    'signpost_link_quota_waiting',
    'Requests for links with maxClicks that wait for the database.',
    () => quotas.stats().waiting,
  )
}

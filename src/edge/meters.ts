import { Counter, Gauge, type Registry } from 'prom-client'
import type { Journal } from '../journal/writer.ts'
import type { AnyPage } from './pages.ts'
import type { Resolver } from './resolve.ts'

type Metric = {
  name: string
  help: string
  isGauge?: boolean
  /** Name of the label; without one, the metric is a single number. */
  label?: string
  read: () => number | Iterable<[string, number]>
}

/**
 * Metrics of the edge. A redirect only increments plain numbers, which are read when the metrics are
 * collected. Invariant: answered = journaled + dropped.
 */
export class Meters {
  #answered = 0
  readonly #pages = new Map<AnyPage, number>()

  constructor(
    registry: Registry,
    resolver: Pick<Resolver, 'stats'>,
    journal: Pick<Journal, 'stats'>,
  ) {
    const own: Metric[] = [
      {
        name: 'signpost_redirects_answered_total',
        help: 'GET requests answered with a redirect.',
        read: () => this.#answered,
      },
      {
        name: 'signpost_pages_total',
        help: 'Requests answered with a page, by page.',
        label: 'page',
        read: () => this.#pages,
      },
    ]
    for (const metric of [...own, ...journalMetrics(journal), ...linkMetrics(resolver)])
      register(registry, metric)
  }

  answered(): number {
    return this.#answered
  }

  countRedirect(): void {
    this.#answered++
  }

  countPage(page: AnyPage): void {
    this.#pages.set(page, (this.#pages.get(page) ?? 0) + 1)
  }
}

function journalMetrics(journal: Pick<Journal, 'stats'>): Metric[] {
  return [
    {
      name: 'signpost_clicks_journaled_total',
      help: 'Clicks written to the journal before their answer.',
      read: () => journal.stats().journaled,
    },
    {
      name: 'signpost_clicks_dropped_total',
      help: 'Clicks answered although the journal could not write them, by reason.',
      label: 'reason',
      read: () => Object.entries(journal.stats().dropped),
    },
    {
      name: 'signpost_clicks_refused_total',
      help: 'Redirects refused because the journal could not write their click, by reason.',
      label: 'reason',
      read: () => Object.entries(journal.stats().refused),
    },
    {
      name: 'signpost_journal_bytes',
      help: 'Upper bound of the bytes of all journals on the disk.',
      isGauge: true,
      read: () => journal.stats().bytes,
    },
  ]
}

function linkMetrics(resolver: Pick<Resolver, 'stats'>): Metric[] {
  return [
    {
      name: 'signpost_links_served_stale_total',
      help: 'Links served from memory while their changes could not be received.',
      read: () => resolver.stats().stale,
    },
    {
      name: 'signpost_links_unavailable_total',
      help: 'Requests for links that the database did not answer in time.',
      read: () => resolver.stats().unavailable,
    },
    {
      name: 'signpost_link_queries_total',
      help: 'Queries for links, each for many of them.',
      read: () => resolver.stats().queries,
    },
    {
      name: 'signpost_links_cached',
      help: 'Links in memory.',
      isGauge: true,
      read: () => resolver.stats().cachedLinks,
    },
    {
      name: 'signpost_links_hearing',
      help: '1 while changes of links are received.',
      isGauge: true,
      read: () => Number(resolver.stats().isConnected),
    },
  ]
}

type Collected = { reset(): void; inc(labels: Record<string, string>, value: number): void }

function register(registry: Registry, { name, help, isGauge, label, read }: Metric): void {
  const configuration = {
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [],
    collect(this: Collected) {
      this.reset()
      const values = read()
      if (typeof values === 'number') this.inc({}, values)
      else for (const [value, count] of values) this.inc({ [label!]: value }, count)
    },
  }
  registry.registerMetric(isGauge ? new Gauge(configuration) : new Counter(configuration))
}

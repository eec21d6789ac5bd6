import { Counter, type Registry } from 'prom-client'

const NAME = 'signpost_thread_failures_total'
const THREADS = ['reports', 'media'] as const

/** Counts the ends of threads through errors, by the name of the thread. */
export type ThreadFailures = {
  inc(labels: { thread: (typeof THREADS)[number] }): void
}

/** One counter per registry. Each thread has a zero from the start, so that a rate sees the first failure. */
export function getThreadFailures(registry: Registry): ThreadFailures {
  const registered = registry.getSingleMetric(NAME) as Counter<'thread'> | undefined
  return registered ?? createCounter(registry)
}

function createCounter(registry: Registry): Counter<'thread'> {
  const counter = new Counter({
    name: NAME,
    help: 'Ends of background threads through errors; their next work starts them again.',
    labelNames: ['thread'] as const,
    registers: [registry],
  })
  for (const thread of THREADS) counter.inc({ thread }, 0)
  return counter
}

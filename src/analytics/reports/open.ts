import { aborted, sleep } from '../../platform/core/service.ts'
import type { Config } from '../../platform/config/config.ts'
import { createToShortUrl, shortUrlOf } from '../../platform/facts/short-url.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { JobWorker } from '../../platform/jobs/worker.ts'
import { SHARES } from '../../platform/limits/times.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { createHeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import type { ShortHost } from '../../links/link/dependencies.ts'
import { createReportNumbers } from '../answers/report-numbers.ts'
import { ClickExports } from '../clicks/export.ts'
import { SharedAnswers } from '../questions/ask.ts'
import { ClickReader } from '../questions/reader.ts'
import { createReportKinds } from './kind.ts'
import { createReports } from './reports.ts'
import { reportRoutes } from './routes.ts'
import { writeFile, type WriteDeps } from './write-file.ts'

/**
 * After a stop signal, a file gets this time to finish its current piece; then its job is given back. A slower file
 * is cut off and starts over elsewhere.
 */
const LAST_PIECES_MS = 5_000
/** Reads of a report take longer than the reads of a request, and leave the budget of its user alone. */
const READ_LIMITS = {
  statementSeconds: 60,
  countingMs: 120_000,
  share: { ...SHARES.analytics, seconds: 3_600, windowSeconds: 7_200 },
}

type Deps = Dependencies & {
  jobs: Jobs
  shortHost: () => ShortHost
  stores: Pick<Stores, 'readSql' | 'systemReadSql'>
}

/** Reports, and the worker of their jobs. */
export function openReports(deps: Deps, config: Config) {
  const sources = openSources(deps, config)
  const late = new AbortController()
  const kinds = createReportKinds({
    ...deps,
    writeFile: (...file) => untilAborted(writeFile(sources, ...file), late.signal),
  })
  // A worker of its own: a file that gave up its place would have to begin again.
  const worker = new JobWorker({ ...deps, kinds, name: 'report jobs', sliceMs: Infinity })
  return {
    routes: reportRoutes(createReports(deps)),
    worker: {
      name: worker.name,
      wake: () => worker.wake(),
      async run(signal: AbortSignal) {
        const over = new AbortController()
        const running = worker.run(signal).finally(() => over.abort())
        const isLate = aborted(signal).then(() => sleep(LAST_PIECES_MS, over.signal))
        await Promise.race([running, isLate])
        late.abort()
        await running
      },
    },
  }
}

/** The readers of the rows of reports. */
function openSources(deps: Deps, config: Config): WriteDeps {
  const { clickhouse, shortHost } = deps
  const questions = {
    ...deps,
    reads: createHeavyReads(deps.stores),
    // Files have no `asOf`.
    shippedThroughMs: async () => Infinity,
  }
  return {
    ...deps,
    numbers: createReportNumbers({
      ...questions,
      reader: new ClickReader(clickhouse, READ_LIMITS),
      toShortUrl: (hostname, slug) => shortUrlOf(shortHost(), hostname, slug),
      answers: new SharedAnswers(),
    }),
    clickRows: new ClickExports({ ...questions, toClickUrl: createToShortUrl(config) }),
  }
}

/** Yields the values until the signal, without waiting for the next one, which may take long. */
async function* untilAborted<T>(values: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  stopped.catch(() => {})
  const stop = () => reject(new Error('the process stops'))
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    for (;;) {
      const next = await Promise.race([values.next(), stopped])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    void values.return(undefined).catch(() => {})
  }
}

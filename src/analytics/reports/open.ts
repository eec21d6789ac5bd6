import { aborted, sleep } from '../../platform/core/service.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toPeriods } from '../questions/period.ts'
import type { PeriodQuery } from '../questions/query.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { JobWorker } from '../../platform/jobs/worker.ts'
import type { ShortHost } from '../../links/link/short-host.ts'
import { createReportKinds } from './kind.ts'
import { createReports } from './reports.ts'
import { reportRoutes } from './routes.ts'
import { writeFile } from './write-file.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import type { SourceDeps } from './sources.ts'
import { openReportSources } from './open-sources.ts'

/**
 * After a stop files have this time to reach their next piece, with which their jobs are given back. One that reads for longer is
 * cut off, and begins again elsewhere.
 */
const LAST_PIECES_MS = 5_000

export type ReportSourcesOfRooms = Pick<SourceDeps, 'conversionPages'>

type Deps = Dependencies &
  ReportSourcesOfRooms & {
    jobs: Jobs
    shortHost: () => ShortHost
    stores: Pick<Stores, 'readSql' | 'systemReadSql'>
  }

/** Reports, and the worker of their jobs. */
export function openReports(deps: Deps, config: Config) {
  const { clock } = deps
  const checkPeriod = (query: PeriodQuery) => void toPeriods(clock(), query)
  const sources = openReportSources(config, deps)
  const late = new AbortController()
  const kinds = createReportKinds({
    ...deps,
    writeFile: (...file) => untilAborted(writeFile(sources, ...file), late.signal),
  })
  // A worker of its own, since a file that gave its place up would have to be begun again.
  const worker = new JobWorker({ ...deps, kinds, name: 'report jobs', sliceMs: Infinity })
  return {
    routes: reportRoutes(createReports({ ...deps, checkPeriod })),
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

/** Yields the values until the signal; then it waits for no other, which may be read for long. */
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

import { openLog } from '../../src/platform/core/log.ts'
import { sleep } from '../../src/platform/core/service.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { JobWorker } from '../../src/platform/jobs/worker.ts'
import { countingKind, openPools } from './job-world.ts'

/** A worker in a process of its own, until it is killed: `job-child.ts <postgres url>`. It prints each piece. */
const { sql, systemSql } = openPools(process.argv[2]!)
const jobs = createJobs({ clock: Date.now, systemSql })
const kind = countingKind('count', async (piece) => {
  process.stdout.write(`piece ${piece}\n`)
  await sleep(5)
})
const deps = { sql, systemSql, clock: Date.now, log: openLog('silent'), jobs, kinds: [kind] }
await new JobWorker(deps).run(new AbortController().signal)

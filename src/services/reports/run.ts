import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { ReportType } from './schema.ts'

/** Rights that a requester must have at each run, by the kind of the job. */
export const KINDS = {
  reports: { role: 'member', scope: 'reports:write' },
} as const satisfies Record<string, JobKind['requires']>
export type KindName = keyof typeof KINDS

/** Input of the job of a run. */
export type RunInput = { reportId: string }

export function kindOf(_type: ReportType): KindName {
  return 'reports'
}

/** @returns the id of the run, which is that of its job */
export function startRun(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  who: Who,
  { id, type }: { id: string; type: ReportType },
): Promise<string> {
  const input: RunInput = { reportId: id }
  return jobs.enqueue(tx, who, kindOf(type), input, { prefix: 'run' })
}

import type { AutoPaused } from '../delivery/auto-pause.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Audit } from '../../platform/audit/audit.ts'

/** The actor in the audit log. */
const ACTOR = 'auto-pause'

/** Writes the audit row of an endpoint that the worker has paused. */
export function createPauseRecorder(audit: Audit) {
  return (tx: Tx, { endpointId, workspaceId, url }: AutoPaused): Promise<void> =>
    audit(tx, systemActing(workspaceId, ACTOR), {
      action: 'webhook.auto_paused',
      target: { type: 'webhook', id: endpointId, name: url },
      changes: { status: { old: 'active', new: 'paused' } },
    })
}

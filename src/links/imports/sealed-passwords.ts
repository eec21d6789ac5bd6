import type { Secrets } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Draft } from './drafts.ts'

export type SealDeps = { secrets: Pick<Secrets, 'seal' | 'open'> }

const PURPOSE = 'import-password'

/** Passwords wait for the job sealed, as no other column of the database has one in plain text. */
export function sealPasswords(
  { secrets }: SealDeps,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) => {
    const { password } = draft.input
    if (typeof password !== 'string') return draft
    const sealed = secrets.seal(PURPOSE, toContext(workspaceId), password).toString('base64')
    return { ...draft, input: { ...draft.input, password: sealed } }
  })
}

/** @throws ApiError SECRET_KEY_CHANGED */
export function openPasswords(
  { secrets }: SealDeps,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) => {
    const { password } = draft.input
    if (typeof password !== 'string') return draft
    const sealed = Buffer.from(password, 'base64')
    const opened = secrets.open(PURPOSE, toContext(workspaceId), sealed)
    return { ...draft, input: { ...draft.input, password: opened } }
  })
}

function toContext(workspaceId: string): string {
  return `job_chunks.content:${workspaceId}`
}

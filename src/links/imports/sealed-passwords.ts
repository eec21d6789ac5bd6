import type { Secrets } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Draft } from './drafts.ts'

type Deps = { secrets: Pick<Secrets, 'seal' | 'open'> }

const PURPOSE = 'import-password'

/** Seals the passwords while they wait for the job, since no column has one in clear text. */
export function sealPasswords(
  { secrets }: Deps,
  principal: Principal,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) =>
    withPassword(draft, (password) =>
      secrets.seal(PURPOSE, toContext(principal), password).toString('base64'),
    ),
  )
}

/** @throws ApiError SECRET_KEY_CHANGED */
export function openPasswords(
  { secrets }: Deps,
  principal: Principal,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) =>
    withPassword(draft, (sealed) =>
      secrets.open(PURPOSE, toContext(principal), Buffer.from(sealed, 'base64')),
    ),
  )
}

function withPassword(draft: Draft, change: (password: string) => string): Draft {
  const { password } = draft.input
  if (typeof password !== 'string') return draft
  return { ...draft, input: { ...draft.input, password: change(password) } }
}

function toContext({ workspaceId }: Principal): string {
  return `job_chunks.content:${workspaceId}`
}

import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { messagePage } from '../page.ts'
import type { Invitations } from './invitations.ts'
import { answerPage, signInPage, type Shown, type Ways } from './pages.ts'
import { hashToken, refuseClosed, type InvitationRow } from './row.ts'
import type { AnswerInvitation, Invitation } from './schema.ts'

type Deps = {
  /** Sees every workspace: who is invited belongs to none of them yet. */
  systemSql: SystemSql
  clock: Clock
  invitations: Pick<Invitations, 'accept' | 'reject'>
  ways: Ways
}

export type InvitationPage = ReturnType<typeof createInvitationPage>

type Found = InvitationRow &
  Pick<Shown, 'workspaceName' | 'inviterName'> & {
    /** Of the session; null without one. */
    signedInAs: string | null
    signedInKey: string | null
  }

/**
 * The page of the link in an invitation mail. Opening it changes nothing, since mail scanners open
 * links; its buttons send the token back.
 *
 *   nobody signed in ──▶ how to sign in ◀── somebody else signed in
 *   the invited person ──▶ two buttons ──▶ accepted, or rejected
 *   not open ──▶ why not
 *
 * Whoever has the token has read the mail, and is shown no more than the mail says.
 */
export function createInvitationPage({ systemSql, clock, invitations, ways }: Deps) {
  return { show, answer }

  async function show(caller: Caller, token: string): Promise<Reply<undefined>> {
    return pageFor(await find(caller, token), token)
  }

  /** Answers a browser with a page, also when it is refused, and a program as the other routes do. */
  async function answer(
    caller: Caller,
    { token, answer: given }: AnswerInvitation,
  ): Promise<Reply<Invitation>> {
    if (!caller.wantsHtml) return { data: await invitations[given](caller, token) }
    const found = await find(caller, token)
    try {
      await invitations[given](caller, token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return pageFor(await find(caller, token), token, error)
    }
    return { html: answeredPage(found!, given) }
  }

  function pageFor(found: Found | null, token: string, refusal?: ApiError) {
    if (!found) return { html: unknownPage(), status: 404 }
    const closed = closedPage(found, clock())
    if (closed) return closed
    const { status = 200 } = refusal ?? {}
    if (found.signedInKey !== found.emailKey)
      return { html: signInPage(found, token, ways, found.signedInAs), status }
    return { html: answerPage(found, token, refusal?.message), status }
  }

  async function find({ session }: Caller, token: string): Promise<Found | null> {
    const [row] = await systemSql<Found[]>`
      select i.*, w.name as workspace_name, inviter.name as inviter_name,
        own.email as signed_in_as, own.email_key as signed_in_key
      from invitations i join workspaces w on w.id = i.workspace_id
      left join users inviter on inviter.id = i.invited_by
      left join users own on own.id = ${session?.userId ?? null}
      where i.token_hash = ${hashToken(token)}`
    return row ?? null
  }
}

function unknownPage(): string {
  return messagePage({
    title: 'There is no such invitation',
    message:
      'A newer mail may have replaced this one. Open the link of the latest, or ask whoever invited you for another.',
  })
}

/** With the status that the API has for it; null for an open invitation. */
function closedPage(found: Found, nowMs: number): { html: string; status: number } | null {
  try {
    refuseClosed(found, nowMs)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message, status } = error
    return { html: messagePage({ title: 'This invitation is not open', message }), status }
  }
}

function answeredPage({ workspaceName, role }: Found, given: AnswerInvitation['answer']): string {
  return given === 'accept'
    ? messagePage({
        title: `You have joined ${workspaceName}`,
        message: `You are a member of this workspace, as ${role}, and this browser acts in it from now on.`,
      })
    : messagePage({
        title: 'You have declined',
        message: `You are not a member of ${workspaceName}. The people who manage it see your answer in their list of invitations.`,
      })
}

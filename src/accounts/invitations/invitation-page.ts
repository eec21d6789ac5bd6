import type { Caller } from '../../platform/routes/caller.ts'
import { DASHBOARD_PATH } from '../../platform/http/dashboard-path.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { messagePage } from '../../platform/http/html.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/token.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Invitations } from './invitations.ts'
import { answerPage, signInPage, type Shown, type SignInMethods } from './pages.ts'
import { refuseClosed, type InvitationRow } from './row.ts'
import type { AnswerInvitation, Invitation } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock'> & {
  invitations: Pick<Invitations, 'accept' | 'reject'>
  signInMethods: SignInMethods
}

export type InvitationPage = ReturnType<typeof createInvitationPage>

type Found = InvitationRow &
  Pick<Shown, 'workspaceName' | 'inviterName'> & {
    /** Address of the session's user; null without a session. */
    signedInAs: string | null
    signedInKey: string | null
  }

/**
 * The page of the link in an invitation mail. Opening it changes nothing, since mail scanners open
 * links; its buttons send the token back.
 *
 *   no session, or another user's ──▶ sign-in methods
 *   session of the invited user   ──▶ two buttons ──▶ accepted, or rejected
 *   invitation not open           ──▶ the reason
 *
 * The page shows no more than the mail, to any client with the token.
 */
export function createInvitationPage({ systemSql, clock, invitations, signInMethods }: Deps) {
  return { show, answer }

  async function show(caller: Caller, token: string): Promise<Reply<undefined>> {
    return pageFor(await find(caller, token), token)
  }

  /** Answers browsers with a page, also for refusals, and other clients as all routes do. */
  async function answer(
    caller: Caller,
    { token, answer: choice }: AnswerInvitation,
  ): Promise<Reply<Invitation>> {
    if (!caller.wantsHtml) return { data: await invitations[choice](caller, token) }
    const found = await find(caller, token)
    try {
      await invitations[choice](caller, token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return pageFor(await find(caller, token), token, error)
    }
    return { html: answeredPage(found!, choice) }
  }

  function pageFor(found: Found | null, token: string, refusal?: ApiError) {
    if (!found) return { html: unknownPage(), status: 404 }
    const closed = closedPage(found, clock())
    if (closed) return closed
    const { status = 200 } = refusal ?? {}
    if (found.signedInKey !== found.emailKey)
      return { html: signInPage(found, token, signInMethods, found.signedInAs), status }
    return { html: answerPage(found, token, refusal?.message), status }
  }

  async function find({ session }: Caller, token: string): Promise<Found | null> {
    const [row] = await systemSql<Found[]>`
      select i.*, w.name as workspace_name, inviter.name as inviter_name,
        own.email as signed_in_as, own.email_key as signed_in_key
      from invitations i join workspaces w on w.id = i.workspace_id
      left join users inviter on inviter.id = i.invited_by
      left join users own on own.id = ${session?.userId ?? null}
      where i.token_hash = ${hashToken(token)} or i.link_hash = ${hashToken(token)}`
    return row ?? null
  }
}

function unknownPage(): string {
  return messagePage({
    title: 'Invitation not found',
    message:
      'A newer email may have replaced it. Open the link in the latest one, or ask for a new invitation.',
  })
}

/** The page of an invitation that is not open, with the status of the API; null for an open one. */
function closedPage(found: Found, nowMs: number): { html: string; status: number } | null {
  try {
    refuseClosed(found, nowMs)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message, status } = error
    return { html: messagePage({ title: 'This invitation is closed', message }), status }
  }
}

function answeredPage({ workspaceName, role }: Found, choice: AnswerInvitation['answer']): string {
  return choice === 'accept'
    ? messagePage({
        title: `You have joined ${workspaceName}`,
        message: `Your role is ${role}.`,
        next: { href: DASHBOARD_PATH, label: 'Open the dashboard' },
      })
    : messagePage({
        title: 'You have declined the invitation',
        message: `You have not joined ${workspaceName}. Its admins can see your answer.`,
      })
}

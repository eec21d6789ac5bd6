import type { Caller } from '../../platform/routes/caller.ts'
import {
  DASHBOARD_PATH,
  messagePage,
  escapeHtml,
  htmlPage,
  problemText,
} from '../../platform/http/html.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Invitations } from './invitations.ts'
import { refuseClosed, type InvitationRow } from './row.ts'
import type { AnswerInvitation } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock'> & {
  invitations: Pick<Invitations, 'accept' | 'reject'>
  signInMethods: SignInMethods
}

export type InvitationPage = ReturnType<typeof createInvitationPage>

type Found = InvitationRow &
  Pick<Shown, 'workspaceName' | 'inviterName'> & {
    signedInAs: string | null
    signedInKey: string | null
  }

/**
 * Opening the page changes nothing, since mail scanners open links; its buttons send the token back. It shows no
 * more than the mail, to any client with the token.
 */
export function createInvitationPage({ systemSql, clock, invitations, signInMethods }: Deps) {
  return { show, answer }

  async function show(caller: Caller, token: string): Promise<Reply<undefined>> {
    return pageFor(await find(caller, token), token)
  }

  async function answer(caller: Caller, { token, answer: choice }: AnswerInvitation) {
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

export type Shown = {
  workspaceName: string
  /** Null when the account no longer exists. */
  inviterName: string | null
  role: string
  email: string
  expiresAt: Date
}

type SignInMethods = {
  providers: readonly { id: string; name: string }[]
  /** SIGNUP: `closed` takes no new accounts, not even of invited users. */
  signup: 'open' | 'invite' | 'closed'
}

const PATH = '/v1/auth/invitation'

function answerPage(shown: Shown, token: string, problem?: string): string {
  return htmlPage({
    title: toTitle(shown),
    content: `${describe(shown)}
${problem === undefined ? '' : problemText(problem)}
<form method="post" action="${PATH}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit" name="answer" value="accept">Accept</button>
<button type="submit" name="answer" value="reject" class="quiet">Decline</button>
</form>`,
  })
}

/** @param signedInAs the address of another user's session */
export function signInPage(
  shown: Shown,
  token: string,
  { providers, signup }: SignInMethods,
  signedInAs: string | null,
): string {
  const email = `<strong>${escapeHtml(shown.email)}</strong>`
  const isOpen = signup !== 'closed'
  const signUp = isOpen ? ', or sign up if you do not have an account yet' : ''
  const backPath = encodeURIComponent(`${PATH}?token=${encodeURIComponent(token)}`)
  const carried = escapeHtml(String(new URLSearchParams({ invitation: token, email: shown.email })))
  const links = providers.map(
    ({ id, name }) =>
      `<li><a class="button" href="/v1/auth/sign-in/${encodeURIComponent(id)}?redirect=${backPath}">Continue with ${escapeHtml(name)}</a></li>`,
  )
  return htmlPage({
    title: toTitle(shown),
    content: `${describe(shown)}
${signedInAs === null ? '' : `<p class="problem">You are signed in as ${escapeHtml(signedInAs)}. This invitation is for a different address.</p>`}
<p>To answer, sign in with ${email}${signUp}.</p>
${links.length === 0 ? '' : `<ul>\n${links.join('\n')}\n</ul>`}
<ul>
${isOpen ? `<li><a class="button" href="${DASHBOARD_PATH}sign-up?${carried}">Sign up and join</a></li>` : ''}
<li><a class="button${isOpen ? ' quiet' : ''}" href="${DASHBOARD_PATH}sign-in?${carried}">Sign in</a></li>
</ul>`,
  })
}

function toTitle({ workspaceName }: Shown): string {
  return `Invitation to ${workspaceName}`
}

function describe({ workspaceName, inviterName, role, email, expiresAt }: Shown): string {
  const inviter = inviterName === null ? 'A former member' : isolate(inviterName)
  return `<p>${inviter} invites you to the workspace ${isolate(workspaceName)}, as ${escapeHtml(role)}. The invitation is for ${escapeHtml(email)} and ends on ${toDay(expiresAt)}.</p>`
}

/** A name chosen by a user, which may be written in any direction. */
function isolate(name: string): string {
  return `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
}

function toDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

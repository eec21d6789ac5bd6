import { DASHBOARD_PATH } from '../../platform/http/dashboard-path.ts'
import { escapeHtml, htmlPage, problemText } from '../../platform/http/html.ts'

/** Facts about an invitation that its mail and its page show. */
export type Shown = {
  workspaceName: string
  /** Null when the account no longer exists. */
  inviterName: string | null
  role: string
  email: string
  expiresAt: Date
}

/** Sign-in methods of this server. */
export type SignInMethods = {
  providers: readonly { id: string; name: string }[]
  /** SIGNUP: `closed` takes no new accounts, not even of invited users. */
  signup: 'open' | 'invite' | 'closed'
}

const PATH = '/v1/auth/invitation'

/** The page for the invited user. Opening it changes nothing; its buttons answer. */
export function answerPage(shown: Shown, token: string, problem?: string): string {
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

/**
 * The page for a visitor who is not signed in with the invited address: how to sign in, and to return.
 * @param signedInAs the address of another user's session
 */
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

/** `1 June 2026` */
function toDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

import { escapeHtml } from '../../base/html.ts'
import { page } from '../page.ts'

/** What the mail says, and its page. */
export type Shown = {
  workspaceName: string
  /** Null when the account is gone. */
  inviterName: string | null
  role: string
  email: string
  expiresAt: Date
}

/** How people sign in here. */
export type Ways = {
  providers: readonly { id: string; name: string }[]
  /** SIGNUP: `closed` takes no new accounts, of the invited neither. */
  signup: 'open' | 'invite' | 'closed'
}

const PATH = '/v1/auth/invitation'
const REFERENCE_PATH = '/v1/auth/reference'
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** For the invited person. Only its buttons answer. */
export function answerPage(shown: Shown, token: string, problem?: string): string {
  return page(
    titleOf(shown),
    `${factsOf(shown)}
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="${PATH}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit" name="answer" value="accept">Accept</button>
<button type="submit" name="answer" value="reject" class="quiet">Decline</button>
</form>`,
  )
}

/**
 * For whoever is not signed in with the invited address: how to do that, and to come back.
 * @param signedInAs the address of somebody else's session
 */
export function signInPage(
  shown: Shown,
  token: string,
  { providers, signup }: Ways,
  signedInAs: string | null,
): string {
  const email = `<strong>${escapeHtml(shown.email)}</strong>`
  const isOpen = signup !== 'closed'
  const signUp = isOpen ? ', or sign up with it if it has no account yet' : ''
  const signUpHow = isOpen
    ? ', or first <em>Sign up with an e-mail address</em> and the link of the mail that follows'
    : ''
  const backPath = encodeURIComponent(`${PATH}?token=${encodeURIComponent(token)}`)
  const links = providers.map(
    ({ id, name }) =>
      `<li><a class="way" href="/v1/auth/sign-in/${encodeURIComponent(id)}?redirect=${backPath}">Continue with ${escapeHtml(name)}</a></li>`,
  )
  return page(
    titleOf(shown),
    `${factsOf(shown)}
${signedInAs === null ? '' : `<p class="problem">You are signed in as ${escapeHtml(signedInAs)}, which is another address.</p>`}
<p>To answer, sign in with ${email} in this browser${signUp}. Then open the link of the mail again.</p>
${links.length === 0 ? '' : `<ul>\n${links.join('\n')}\n</ul>`}
<p>With a password, use the <a href="${REFERENCE_PATH}">reference of the auth service</a> in this browser: <em>Sign in with e-mail address and password</em>${signUpHow}.</p>`,
  )
}

function titleOf({ workspaceName }: Shown): string {
  return `Invitation to ${workspaceName}`
}

function factsOf({ workspaceName, inviterName, role, email, expiresAt }: Shown): string {
  const inviter = inviterName === null ? 'Somebody' : bdi(inviterName)
  return `<p>${inviter} invites you to the workspace ${bdi(workspaceName)}, as ${escapeHtml(role)}. The invitation is for ${escapeHtml(email)} and ends on ${DAY.format(expiresAt)}.</p>`
}

/** Names are anybody's text, in any direction. */
function bdi(name: string): string {
  return `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
}

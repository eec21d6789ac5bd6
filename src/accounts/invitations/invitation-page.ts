import type { Caller } from '../../platform/routes/caller.ts'
import {
  DASHBOARD_PATH,
  messagePage,
  escapeHtml,
  htmlPage,
  problemText,
} from '../../platform/http/html.ts'
import type { Language } from '../../platform/facts/languages.ts'
import { problemIn } from '../../platform/http/problems.ts'
import type { Role } from '../../platform/routes/principal.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import { MAIL_TEXTS } from '../../platform/text/mails.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Invitations } from './invitations.ts'
import { getStatus, type InvitationRow } from './row.ts'
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
    return pageFor(caller, await find(caller, token), token)
  }

  async function answer(caller: Caller, { token, answer: choice }: AnswerInvitation) {
    if (!caller.wantsHtml) return { data: await invitations[choice](caller, token) }
    const found = await find(caller, token)
    try {
      await invitations[choice](caller, token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return pageFor(caller, await find(caller, token), token, error)
    }
    return { html: answeredPage(caller.language, found!, choice) }
  }

  function pageFor(caller: Caller, found: Found | null, token: string, refusal?: ApiError) {
    const { language = 'en' } = caller
    if (!found)
      return {
        html: messagePage({ language, ...FORM_TEXTS[language].invitation.unknown }),
        status: 404,
      }
    const closed = closedPage(language, found, clock())
    if (closed) return closed
    const { status = 200 } = refusal ?? {}
    if (found.signedInKey !== found.emailKey)
      return {
        html: signInPage({ ...found, language }, token, signInMethods, found.signedInAs),
        status,
      }
    const problem = refusal && problemIn(language, refusal)
    return { html: answerPage({ ...found, language }, token, problem), status }
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

/** The page of an invitation that is not open, with the status of the API; null for an open one. */
function closedPage(
  language: Language,
  found: Found,
  nowMs: number,
): { html: string; status: number } | null {
  const status = getStatus(found, nowMs)
  if (status === 'pending') return null
  const { closed, statuses } = FORM_TEXTS[language].invitation
  const html = messagePage({ language, title: closed, text: statuses[status] })
  return { html, status: status === 'accepted' ? 409 : 410 }
}

function answeredPage(
  language: Language = 'en',
  { workspaceName, role }: Found,
  choice: AnswerInvitation['answer'],
): string {
  const { invitation, openDashboard } = FORM_TEXTS[language]
  return choice === 'accept'
    ? messagePage({
        language,
        title: invitation.joined(workspaceName),
        text: invitation.role(MAIL_TEXTS[language].roles[role]),
        next: { href: DASHBOARD_PATH, label: openDashboard },
      })
    : messagePage({
        language,
        title: invitation.declined,
        text: invitation.declinedText(workspaceName),
      })
}

export type Shown = {
  language: Language
  workspaceName: string
  /** Null when the account no longer exists. */
  inviterName: string | null
  role: Role
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
  const { language, workspaceName } = shown
  const { invitation } = FORM_TEXTS[language]
  return htmlPage({
    language,
    title: invitation.title(workspaceName),
    content: `${describe(shown)}
${problem === undefined ? '' : problemText(problem)}
<form method="post" action="${PATH}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit" name="answer" value="accept">${escapeHtml(invitation.accept)}</button>
<button type="submit" name="answer" value="reject" class="quiet">${escapeHtml(invitation.decline)}</button>
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
  const { language, email, workspaceName } = shown
  const { invitation, signIn } = FORM_TEXTS[language]
  const isOpen = signup !== 'closed'
  const toAnswer = isOpen ? invitation.toAnswerOrSignUp : invitation.toAnswer
  const backPath = encodeURIComponent(`${PATH}?token=${encodeURIComponent(token)}`)
  const carried = escapeHtml(String(new URLSearchParams({ invitation: token, email })))
  const links = providers.map(
    ({ id, name }) =>
      `<li><a class="button" href="/v1/auth/sign-in/${encodeURIComponent(id)}?redirect=${backPath}">${escapeHtml(invitation.provider(name))}</a></li>`,
  )
  return htmlPage({
    language,
    title: invitation.title(workspaceName),
    content: `${describe(shown)}
${signedInAs === null ? '' : `<p class="problem">${escapeHtml(invitation.otherAccount(signedInAs))}</p>`}
<p>${fill(toAnswer('EMAIL'), { EMAIL: `<strong>${escapeHtml(email)}</strong>` })}</p>
${links.length === 0 ? '' : `<ul>\n${links.join('\n')}\n</ul>`}
<ul>
${isOpen ? `<li><a class="button" href="${DASHBOARD_PATH}sign-up?${carried}">${escapeHtml(invitation.signUp)}</a></li>` : ''}
<li><a class="button${isOpen ? ' quiet' : ''}" href="${DASHBOARD_PATH}sign-in?${carried}">${escapeHtml(signIn)}</a></li>
</ul>`,
  })
}

function describe({ language, workspaceName, inviterName, role, email, expiresAt }: Shown): string {
  const { invitation } = FORM_TEXTS[language]
  const text = invitation.text({
    ...{ inviter: 'INVITER', workspace: 'WORKSPACE' },
    role: MAIL_TEXTS[language].roles[role],
    ...{ email: 'EMAIL', day: toDay(language, expiresAt) },
  })
  const inviter = inviterName === null ? escapeHtml(invitation.formerMember) : isolate(inviterName)
  const workspace = isolate(workspaceName)
  return `<p>${fill(text, { INVITER: inviter, WORKSPACE: workspace, EMAIL: escapeHtml(email) })}</p>`
}

/** Escapes a text, and puts HTML in the place of the words in capitals. */
function fill(text: string, parts: Readonly<Record<string, string>>): string {
  return escapeHtml(text).replace(/[A-Z]{5,}/g, (word) => parts[word] ?? word)
}

/** A name chosen by a user, which may be written in any direction. */
function isolate(name: string): string {
  return `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
}

function toDay(language: Language, date: Date): string {
  const locale = language === 'en' ? 'en-GB' : language
  return date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}

import type { Language } from '../facts/languages.ts'
import { DASHBOARD_PATH } from '../http/html.ts'
import type { Role } from '../routes/principal.ts'
import { MAIL_TEXTS } from '../text/mails.ts'
import type { MailTexts } from '../text/texts.ts'
import { plainName, type MailContent } from './layout.ts'

/** The language that the reader has chosen; English without one. */
type Read = { language: Language | undefined }
type Named = Read & { name: string }

export type FailingEndpoint = {
  endpointId: string
  /** Without path and query, which may be secret. */
  host: string
  failingSince: Date
  autoPausedAt: Date | null
  status: number | null
  error: string | null
}
type WithToken = Named & { token: string }

type InvitationFacts = Read & {
  workspaceName: string
  inviterName: string
  role: Role
  token: string
}

type ReportReadyFacts = Named & {
  workspaceId: string
  workspaceName: string
  reportName: string
}

type AlertFacts = Named & {
  workspaceId: string
  workspaceName: string
  /** Null: the whole workspace. */
  linkName: string | null
  news: 'high' | 'low' | 'failing' | 'clicksOver' | 'destinationOver'
  count: number
  usual: number
}

type WebhookFailingFacts = Named & {
  workspaceName: string
  endpoints: readonly FailingEndpoint[]
  unlistedCount: number
}

/** Separate queues, so that no number of workspace mails delays an account mail. */
export type MailClass = 'account' | 'workspace'

/** Links begin with `origin`, never with the host of a request, which an attacker could choose (OWASP, Forgot Password). */
export const TEMPLATES = {
  verifyEmail: (origin: string, { language, name, token }: WithToken): MailContent => {
    const { verifyEmail, once } = textsIn(language)
    return {
      ...toNamed(language, name, verifyEmail.subject),
      lines: [verifyEmail.text],
      link: { label: verifyEmail.link, url: link(origin, 'verify-email', token) },
      notes: [once, verifyEmail.where, verifyEmail.notYou],
    }
  },

  alreadyRegistered: (origin: string, { language, name }: Named): MailContent => {
    const { alreadyRegistered, notYou } = textsIn(language)
    return {
      ...toNamed(language, name, alreadyRegistered.subject),
      lines: [alreadyRegistered.text],
      link: { label: alreadyRegistered.link, url: `${origin}${DASHBOARD_PATH}sign-in` },
      notes: [notYou],
    }
  },

  resetPassword: (origin: string, { language, name, token }: WithToken): MailContent => {
    const { resetPassword, once, notYou, otherCredentials } = textsIn(language)
    return {
      ...toNamed(language, name, resetPassword.subject),
      lines: [resetPassword.text],
      link: { label: resetPassword.link, url: link(origin, 'reset-password', token) },
      notes: [once, notYou, otherCredentials],
    }
  },

  passwordChanged: (_origin: string, { language, name }: Named): MailContent => {
    const { passwordChanged, wasItYou, otherCredentials } = textsIn(language)
    return {
      ...toNamed(language, name, passwordChanged.subject),
      lines: [passwordChanged.text],
      notes: [wasItYou, otherCredentials],
    }
  },

  approveEmailChange: (
    origin: string,
    { language, name, newEmail, token }: WithToken & { newEmail: string },
  ): MailContent => {
    const { approveEmailChange, once } = textsIn(language)
    return {
      ...toNamed(language, name, approveEmailChange.subject),
      lines: [approveEmailChange.text(plainName(newEmail, MAX_ADDRESS_CHARS))],
      link: { label: approveEmailChange.link, url: link(origin, 'change-email', token) },
      notes: [once, approveEmailChange.notYou],
    }
  },

  verifyNewEmail: (
    origin: string,
    { language, name, email, token }: WithToken & { email: string },
  ): MailContent => {
    const { verifyNewEmail, once, unnamed } = textsIn(language)
    return {
      ...toNamed(language, '', verifyNewEmail.subject),
      lines: [verifyNewEmail.text(plainName(name) || unnamed, plainName(email))],
      link: { label: verifyNewEmail.link, url: link(origin, 'change-email', token) },
      notes: [once, verifyNewEmail.where, verifyNewEmail.notYou],
    }
  },

  emailChanged: (
    _origin: string,
    { language, name, newEmail }: Named & { newEmail: string },
  ): MailContent => {
    const { emailChanged } = textsIn(language)
    return {
      ...toNamed(language, name, emailChanged.subject),
      lines: [emailChanged.text(plainName(newEmail, MAX_ADDRESS_CHARS))],
      notes: [emailChanged.notYou],
    }
  },

  invitation: (origin: string, facts: InvitationFacts): MailContent => {
    const { invitation, roles, unnamed } = textsIn(facts.language)
    const inviter = plainName(facts.inviterName) || unnamed
    const workspace = plainName(facts.workspaceName) || unnamed
    return {
      // The subject contains no text of the inviter, who may not know the recipient.
      ...toNamed(facts.language, '', invitation.subject),
      lines: [invitation.text(inviter, workspace, roles[facts.role])],
      link: { label: invitation.link, url: link(origin, 'invitation', facts.token) },
      notes: [invitation.terms, invitation.unknown],
    }
  },

  accountDeleted: (_origin: string, { language, name }: Named): MailContent => {
    const { accountDeleted } = textsIn(language)
    return { ...toNamed(language, name, accountDeleted.subject), lines: [accountDeleted.text] }
  },

  webhookFailing: (_origin: string, facts: WebhookFailingFacts): MailContent => {
    const { webhookFailing: texts, unnamed } = textsIn(facts.language)
    const workspace = plainName(facts.workspaceName) || unnamed
    const { endpoints, unlistedCount } = facts
    const isPaused = endpoints.some(({ autoPausedAt }) => autoPausedAt !== null)
    return {
      ...toNamed(facts.language, facts.name, isPaused ? texts.subjectPaused : texts.subject),
      lines: [
        texts.text(workspace),
        ...endpoints.map((endpoint) => describeEndpoint(texts, endpoint)),
        ...(unlistedCount > 0 ? [texts.more(unlistedCount)] : []),
      ],
      notes: [
        ...(isPaused ? [texts.paused] : []),
        texts.kept,
        isPaused ? texts.whyPaused : texts.why,
      ],
    }
  },

  reportReady: (origin: string, facts: ReportReadyFacts): MailContent => {
    const { reportReady, unnamed } = textsIn(facts.language)
    const report = plainName(facts.reportName) || unnamed
    const workspace = plainName(facts.workspaceName) || unnamed
    return {
      // The subject contains no text that another member chose.
      ...toNamed(facts.language, facts.name, reportReady.subject),
      lines: [reportReady.text(report, workspace)],
      link: {
        label: reportReady.link,
        url: `${origin}${DASHBOARD_PATH}${facts.workspaceId}/reports`,
      },
      notes: [reportReady.terms, reportReady.why],
    }
  },

  alert: (origin: string, facts: AlertFacts): MailContent => {
    const { news, linkName, workspaceId } = facts
    const { alert, unnamed } = textsIn(facts.language)
    const target = linkName === null ? alert.wholeWorkspace : plainName(linkName) || unnamed
    const [count, usual] = [facts.count, facts.usual].map((each) =>
      each.toLocaleString(facts.language),
    )
    const isOver = news === 'clicksOver' || news === 'destinationOver'
    return {
      // The subject contains no text that another member chose.
      ...toNamed(facts.language, facts.name, isOver ? alert.over : alert.subject),
      lines: [
        alert[news](target, count!, usual!),
        alert.of(plainName(facts.workspaceName) || unnamed),
      ],
      link: { label: alert.link, url: `${origin}${DASHBOARD_PATH}${workspaceId}/alerts` },
      notes: [alert.why],
    }
  },
} as const

export type TemplateName = keyof typeof TEMPLATES

const WORKSPACE_MAILS: ReadonlySet<string> = new Set<TemplateName>([
  'invitation',
  'webhookFailing',
  'reportReady',
  'alert',
])

/** @param template may be from another version; an unknown one counts as an account mail */
export function getMailClass(template: string): MailClass {
  return WORKSPACE_MAILS.has(template) ? 'workspace' : 'account'
}

const MAX_ADDRESS_CHARS = 254

function textsIn(language: Language = 'en'): MailTexts {
  return MAIL_TEXTS[language]
}

/** @param name empty where the mail must not show one */
function toNamed(language: Language = 'en', name: string, subject: string) {
  const { hello, helloNobody } = MAIL_TEXTS[language]
  const plain = plainName(name)
  return { language, subject, greeting: plain === '' ? helloNobody : hello(plain) }
}

function describeEndpoint(
  texts: MailTexts['webhookFailing'],
  { endpointId, host, failingSince, autoPausedAt, status, error }: FailingEndpoint,
): string {
  const last =
    status === null ? texts.noAnswer(plainName(error ?? 'unknown')) : texts.status(status)
  const facts = { host: plainName(host), id: endpointId, last, since: formatUtc(failingSince) }
  const paused = autoPausedAt === null ? [] : [texts.pausedAt(formatUtc(autoPausedAt))]
  return [texts.endpoint(facts), ...paused].join(' ')
}

function link(origin: string, page: string, token: string): string {
  return `${origin}/v1/auth/${page}?token=${encodeURIComponent(token)}`
}

function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

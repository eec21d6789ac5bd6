import type { Role } from '../routes/principal.ts'

/** A page without a form: a title, and a sentence or two below it. */
type Said = { title: string; text: string }

/** What visitors of links read, in one language. Pages for programs are in English only. */
export type LinkTexts = {
  pages: Record<
    | 'missing'
    | 'pending'
    | 'expired'
    | 'exhausted'
    | 'suspended'
    | 'blocked'
    | 'noPreview'
    | 'malformed'
    | 'tooLong'
    | 'unavailable'
    | 'broken',
    Said
  >
  /** Before the status, as in "Error 404". */
  error: string
  reportAbuse: string
  password: {
    title: string
    intro: string
    wrong: string
    label: string
    open: string
    cookie: string
  }
  attempts: { title: string; wait: (time: string) => string; back: string }
  app: { title: string; without: (host: string) => string; open: string; browser: string }
  inspection: { title: string; conditional: string; mixedScript: string }
}

/** What mails say, in one language. */
export type MailTexts = {
  hello: (name: string) => string
  helloNobody: string
  /** Instead of a name that has no visible character. */
  unnamed: string
  roles: Record<Role, string>
  once: string
  notYou: string
  wasItYou: string
  otherCredentials: string
  verifyEmail: { subject: string; text: string; link: string; where: string; notYou: string }
  alreadyRegistered: { subject: string; text: string; link: string }
  resetPassword: { subject: string; text: string; link: string }
  passwordChanged: { subject: string; text: string }
  approveEmailChange: {
    subject: string
    text: (newEmail: string) => string
    link: string
    notYou: string
  }
  verifyNewEmail: {
    subject: string
    text: (name: string, email: string) => string
    link: string
    where: string
    notYou: string
  }
  emailChanged: { subject: string; text: (newEmail: string) => string; notYou: string }
  invitation: {
    subject: string
    text: (inviter: string, workspace: string, role: string) => string
    link: string
    terms: string
    unknown: string
  }
  accountDeleted: { subject: string; text: string }
  webhookFailing: {
    subject: string
    subjectPaused: string
    text: (workspace: string) => string
    endpoint: (facts: { host: string; id: string; last: string; since: string }) => string
    pausedAt: (time: string) => string
    status: (status: number) => string
    noAnswer: (error: string) => string
    more: (count: number) => string
    paused: string
    kept: string
    why: string
    whyPaused: string
  }
  reportReady: {
    subject: string
    text: (report: string, workspace: string) => string
    link: string
    terms: string
    why: string
  }
}

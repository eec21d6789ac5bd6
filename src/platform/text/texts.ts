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
  alert: {
    subject: string
    over: string
    wholeWorkspace: string
    high: (target: string, count: string, usual: string) => string
    low: (target: string, count: string, usual: string) => string
    failing: (target: string) => string
    clicksOver: (target: string, count: string) => string
    destinationOver: (target: string) => string
    of: (workspace: string) => string
    link: string
    why: string
  }
}

/** Pages of the server with forms: those that mails lead to, and the report of a link. In one language. */
export type FormTexts = {
  password: string
  signIn: string
  openDashboard: string
  gone: Said
  verify: {
    title: string
    here: (email: string) => string
    elsewhere: (email: string) => string
    button: string
    readyTitle: string
    notJoined: string
  }
  reset: {
    title: string
    text: (email: string) => string
    label: string
    button: string
    done: Said
  }
  change: {
    approveTitle: string
    confirmTitle: string
    facts: (name: string, email: string, newEmail: string) => string
    warning: string
    password: string
    approve: string
    confirm: string
    done: string
    changed: string
    almost: string
  }
  code: { title: string; text: string; label: string }
  invitation: {
    title: (workspace: string) => string
    text: (facts: {
      inviter: string
      workspace: string
      role: string
      email: string
      day: string
    }) => string
    formerMember: string
    accept: string
    decline: string
    otherAccount: (email: string) => string
    toAnswer: (email: string) => string
    toAnswerOrSignUp: (email: string) => string
    provider: (name: string) => string
    signUp: string
    unknown: Said
    closed: string
    statuses: Record<'accepted' | 'rejected' | 'canceled' | 'expired', string>
    joined: (workspace: string) => string
    role: (role: string) => string
    declined: string
    declinedText: (workspace: string) => string
  }
  report: {
    title: string
    intro: string
    url: string
    reason: string
    reasons: Record<'phishing' | 'malware' | 'spam' | 'other', string>
    details: string
    email: string
    send: string
    sent: Said
  }
  failed: { title: string; fix: string; wait: string }
  /** Null: what the API says, which is in English. */
  errors: Readonly<Record<FormError, string>> | null
}

/** Codes of errors and of their details, and fields. */
export type FormError =
  | 'length'
  | 'weak'
  | 'required'
  | 'url'
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_CODE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'GONE'
  | 'PLAN_LIMIT_REACHED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_ERROR'

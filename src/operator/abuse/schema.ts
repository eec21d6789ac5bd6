import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  idShape,
  nullable,
  oneOf,
  PageQuery,
  text,
  Timestamp,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

export const ABUSE_REASONS = ['phishing', 'malware', 'spam', 'other'] as const
export const DETAILS_MAX_CHARS = 2_000
export const URL_MAX_CHARS = 2_048
const EMAIL_MAX_CHARS = 254

/** A report as JSON or as a form, in which empty fields are empty texts. */
export const ReportAbuse = Type.Object({
  url: text('The short link.', 'https://links.example.com/spring', {
    minLength: 1,
    maxLength: URL_MAX_CHARS,
  }),
  reason: oneOf(ABUSE_REASONS, 'What is wrong with it.', 'phishing'),
  details: Type.Optional(
    nullable(text('What happened.', 'It asks for my bank.', { maxLength: DETAILS_MAX_CHARS })),
  ),
  email: Type.Optional(
    nullable(text('An address for questions.', 'you@example.com', { maxLength: EMAIL_MAX_CHARS })),
  ),
})
export type ReportAbuse = Static<typeof ReportAbuse>

export const AbuseReport = object('AbuseReport', {
  id: idShape('abr', 'Id of the report.'),
  workspaceId: WorkspaceId,
  linkId: idShape('lnk', 'Id of the link.'),
  url: text('The short URL, as it was reported.', 'https://links.example.com/spring'),
  reason: oneOf(ABUSE_REASONS, 'What is wrong with the link.', 'phishing'),
  details: nullable(text('What the reporter wrote.', 'It asks for my bank.')),
  status: oneOf(['open', 'resolved'], 'Whether the operator has dealt with it.', 'open'),
  createdAt: CreatedAt,
  resolvedAt: nullable(described(Timestamp, 'When the operator dealt with it.')),
})
export type AbuseReport = Static<typeof AbuseReport>

export const ListAbuseReports = Type.Object({
  status: Type.Optional(oneOf(['open', 'resolved'], 'Only reports with this status.', 'open')),
  linkId: Type.Optional(
    text('Only reports about this link.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV', { maxLength: 64 }),
  ),
  ...PageQuery,
})
export type ListAbuseReports = Static<typeof ListAbuseReports>

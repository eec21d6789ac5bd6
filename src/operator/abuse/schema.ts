import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { Reason } from '../workspaces/schema.ts'
import {
  CreatedAt,
  flag,
  idShape,
  integer,
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

/** For operators, with what the workspace must not know. */
export const ServerAbuseReport = object('ServerAbuseReport', {
  ...AbuseReport.properties,
  workspaceId: nullable(
    idShape('wsp', 'Id of the workspace of the link; null: no link was found.'),
  ),
  linkId: nullable(idShape('lnk', 'Id of the link; null: no link was found at the URL.')),
  email: nullable(text('Address of the reporter, for questions.', 'you@example.com')),
  destinationHost: nullable(text('Host that the link leads to, in punycode.', 'example.com')),
  isMixedScript: flag('Whether the letters of that host mix or imitate alphabets.', false),
})
export type ServerAbuseReport = Static<typeof ServerAbuseReport>

const Status = oneOf(['open', 'resolved'], 'Only reports with this status.', 'open')

export const ListServerAbuseReports = Type.Object({
  status: Type.Optional(Status),
  ...PageQuery,
})

export const BLOCK_KINDS = ['host', 'link', 'workspace', 'image'] as const

export const Block = object('Block', {
  id: idShape('blo', 'Id of the block.'),
  kind: oneOf(BLOCK_KINDS, 'What is blocked.', 'host'),
  value: text(
    'The host, the id of the link, page or workspace, or the SHA-256 of the image.',
    'phishing.example',
  ),
  reason: nullable(text('Why; the workspaces that it concerns can read it.', 'Phishing')),
  links: integer('How many links it blocks.', 3),
  state: oneOf(
    ['in progress', 'complete', 'being lifted'],
    'Links of a host are blocked and freed one after another.',
    'complete',
  ),
  createdAt: CreatedAt,
})
export type Block = Static<typeof Block>

export const ListBlocks = Type.Object({
  kind: Type.Optional(oneOf(BLOCK_KINDS, 'Only blocks of this kind.', 'host')),
  search: Type.Optional(
    text('Only blocks with this text in their value.', 'phishing', { maxLength: 200 }),
  ),
  ...PageQuery,
})
export type ListBlocks = Static<typeof ListBlocks>

export const CreateBlock = object('CreateBlock', {
  kind: oneOf(BLOCK_KINDS, 'What to block.', 'host'),
  value: text(
    'A host without scheme and path; the id or URL of a link, bio page or image; the id of a workspace.',
    'phishing.example',
    { minLength: 1, maxLength: URL_MAX_CHARS },
  ),
  reason: Type.Optional(Reason),
})

export const ListAbuseReports = Type.Object({
  status: Type.Optional(Status),
  linkId: Type.Optional(
    text('Only reports about this link.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV', { maxLength: 64 }),
  ),
  ...PageQuery,
})
export type ListAbuseReports = Static<typeof ListAbuseReports>

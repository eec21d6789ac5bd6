import { Type, type Static } from 'typebox'
import { described, hidden, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  flag,
  idShape,
  nullable,
  oneOf,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

const STATUSES = ['pending', 'verified', 'failed', 'misconfigured'] as const
export type Status = (typeof STATUSES)[number]
const FAILURE_REASONS = [
  'not_found',
  'not_configured',
  'token_mismatch',
  'conflicting_records',
  'lookup_error',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]
const SSL_STATUSES = ['none', 'pending', 'active', 'failed'] as const
export type SslStatus = (typeof SSL_STATUSES)[number]
const SSL_FAILURE_REASONS = [
  'dns',
  'connection',
  'wrong_answer',
  'caa',
  'rate_limited',
  'refused',
  'unreachable',
  'share_used',
] as const
export type SslFailureReason = (typeof SSL_FAILURE_REASONS)[number]

export const URL_FIELDS = ['rootRedirectUrl', 'notFoundUrl', 'expiredUrl'] as const
export type UrlField = (typeof URL_FIELDS)[number]

const URL_MAX_CHARS = 8_192
const HOSTNAME = 'Its host, in lower case and punycode.'

const nullableUrl = (description: string, example: string) =>
  nullable(
    text(`${description} Null: a page of this server.`, example, { maxLength: URL_MAX_CHARS }),
  )
const nullableJson = <Value>(type: 'object' | 'array', description: string, example: unknown) =>
  described(
    Type.Unsafe<Value | null>({
      type: [type, 'null'],
      ...(type === 'object' ? { additionalProperties: true } : { items: {} }),
    }),
    `${description} At most 65,536 bytes of JSON; null: none.`,
    example,
  )

const nullableOneOf = <const Word extends string>(
  words: readonly Word[],
  description: string,
  example: Word | null,
) =>
  described(
    Type.Unsafe<Word | null>({ type: ['string', 'null'], enum: [...words, null] }),
    description,
    example,
  )

const settings = {
  caseSensitive: flag('Whether `/Docs` and `/docs` are two links.', false),
  rootRedirectUrl: nullableUrl('Where visitors of `/` are sent.', 'https://example.com/'),
  notFoundUrl: nullableUrl('Where visitors of unknown links are sent.', 'https://example.com/404'),
  expiredUrl: nullableUrl(
    'Where visitors of expired links without an `expiredUrl` of their own are sent.',
    'https://example.com/expired',
  ),
  appleAppSiteAssociation: nullableJson<Record<string, unknown>>(
    'object',
    'The file `/.well-known/apple-app-site-association`, for universal links of iOS.',
    { applinks: { details: [] } },
  ),
  assetLinks: nullableJson<unknown[]>(
    'array',
    'The file `/.well-known/assetlinks.json`, for app links of Android.',
    [],
  ),
}

export const DomainRecord = object('DomainRecord', {
  type: oneOf(['TXT', 'CNAME', 'A', 'AAAA'], 'Type of the record.', 'TXT'),
  name: text('Full name of the record.', '_signpost.go.example.com'),
  value: text('Its value.', 'signpost-verify=0123456789abcdef0123456789abcdef'),
  purpose: oneOf(
    ['ownership', 'routing'],
    '`ownership` proves that the host is yours; `routing` sends its visitors to this server.',
    'ownership',
  ),
  found: described(Type.Array(Type.String()), 'What the last check found there.', []),
  ok: nullable(
    flag('Whether the last check found the right record; null before the first check.', false),
  ),
})
export type DomainRecord = Static<typeof DomainRecord>

const verification = object('DomainVerification', {
  token: text('What the proof contains.', '0123456789abcdef0123456789abcdef'),
  proofUrl: text(
    'Instead of the TXT record, your server may prove the ownership by answering at this address with the token.',
    'http://go.example.com/.well-known/signpost-verify/0123456789abcdef0123456789abcdef',
  ),
  records: described(Type.Array(DomainRecord), 'The records to create.'),
  routingNote: nullable(
    text(
      'Which setting of the server is missing, so that no record can send visitors here; null if none is.',
      'This server does not know its own public name.',
    ),
  ),
})

export const Domain = object('Domain', {
  id: idShape('dom', 'Id of the domain.'),
  workspaceId: WorkspaceId,
  hostname: text(HOSTNAME, 'go.example.com'),
  status: oneOf(
    STATUSES,
    'Links of the domain redirect while it is `verified` or `misconfigured`; a misconfigured one becomes `failed` after 72 hours.',
    'verified',
  ),
  isDefault: flag('Whether new links without a `domainId` are on it.', false),
  ...settings,
  blockedUrls: described(
    Type.Array(oneOf(URL_FIELDS, 'Name of the field.', 'notFoundUrl')),
    'The fields whose URL has a host that the operator has blocked: visitors get a page of this server instead.',
    [],
  ),
  verification: described(verification, 'How the ownership is proven.'),
  failureReason: nullableOneOf(
    FAILURE_REASONS,
    'Why the last check failed; null if it did not.',
    'not_configured',
  ),
  lastCheckedAt: nullable(described(Timestamp, 'When it was last checked.')),
  verifiedAt: nullable(described(Timestamp, 'When it was last verified.')),
  sslStatus: oneOf(
    SSL_STATUSES,
    'State of its certificate: ordered (`pending`), in use (`active`), refused by the certificate authority or expired (`failed`); `none`: this server orders none for it.',
    'none',
  ),
  sslFailureReason: nullableOneOf(
    SSL_FAILURE_REASONS,
    'Why it has no certificate yet; null otherwise. `share_used`: the account, or the registrable domain, has used its share of the orders.',
    null,
  ),
  sslNextAttemptAt: nullable(
    described(
      Timestamp,
      'When its certificate is ordered again, while `sslFailureReason` is not null.',
    ),
  ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type Domain = Static<typeof Domain>

export const UpdateDomain = named(
  'UpdateDomain',
  described(
    Type.Partial(
      Type.Object({
        isDefault: flag(
          'Whether new links without a `domainId` are on it; only a verified domain can be.',
          true,
        ),
        ...settings,
      }),
    ),
    'The fields to change.',
  ),
)
export type UpdateDomain = Static<typeof UpdateDomain>

const hostname = text(
  'The host, alone or in a URL: scheme, port and path are dropped.',
  'go.example.com',
  { minLength: 1, maxLength: 2_048 },
)
export const CreateDomain = object(
  'CreateDomain',
  {
    hostname: Type.Optional(hostname),
    domain: Type.Optional(hidden(hostname)),
    name: Type.Optional(hidden(hostname)),
    ...Type.Partial(Type.Object(settings)).properties,
  },
  { examples: [{ hostname: 'go.example.com' }] },
)
export type CreateDomain = Static<typeof CreateDomain>

export const ListDomains = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    text('Only domains with this text in their host, in any case.', 'example', { maxLength: 200 }),
  ),
  status: Type.Optional(oneOf(STATUSES, 'Only domains of this status.', 'verified')),
})
export type ListDomains = Static<typeof ListDomains>

export const DeleteQuery = Type.Object({
  force: described(
    Type.Boolean({ default: false }),
    'Moves the links of the domain to the shared host: all of them, at most 1,000, or none.',
    false,
  ),
})

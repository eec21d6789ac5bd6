import { Type } from 'typebox'
import { described, object } from '../platform/routes/shape.ts'
import { inTransaction } from '../platform/storage/postgres/postgres.ts'
import { announceLinksOf, FREED_DAYS } from './link/addresses.ts'
import { emptyTable, inPieces, PIECE_ROWS } from '../platform/resources/purge-steps.ts'
import type { Resource } from '../platform/resources/resource.ts'
import { Link } from './link/schema.ts'
import { Campaign } from './campaigns/schema.ts'

// A snapshot has neither the password nor the numbers of a period.
const {
  password: _password,
  periodClicks: _periodClicks,
  periodConversions: _periodConversions,
  periodValue: _periodValue,
  ...shown
} = Link.properties
const LinkSnapshot = object('LinkSnapshot', shown)
const LinkUpdated = Type.Object({
  ...shown,
  changes: described(Type.Array(Type.String()), 'The fields that changed.', ['destinationUrl']),
  previous: described(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    'Their values before.',
    { destinationUrl: 'https://example.com/old' },
  ),
})

export const links = {
  scopes: { links: { read: 'read links', write: 'create, change and delete links' } },
  limits: ['links_monthly'],
  capabilities: ['password', 'deep_links'],
  events: {
    'link.created': {
      label: 'Link created',
      description: 'A new short link was created, or a deleted one restored.',
      data: LinkSnapshot,
    },
    'link.updated': {
      label: 'Link updated',
      description: 'A link was renamed, redirected, archived or its metadata changed.',
      data: LinkUpdated,
    },
    'link.deleted': {
      label: 'Link deleted',
      description: 'A link was permanently removed.',
      data: LinkSnapshot,
    },
  },
  purge: [
    {
      // First, since every deleted link would delete its own rows.
      name: 'tags of links',
      tables: ['link_tags'],
      run: ({ sql }, workspaceId, signal) => emptyTable(sql, 'link_tags', workspaceId, signal),
    },
    {
      name: 'versions of links',
      tables: ['link_versions'],
      run: ({ sql }, workspaceId, signal) => emptyTable(sql, 'link_versions', workspaceId, signal),
    },
    {
      name: 'links',
      tables: ['links', 'link_addresses', 'link_quotas'],
      async run({ sql, clock }, workspaceId, signal) {
        const freeAt = new Date(clock() + FREED_DAYS * 86_400_000)
        // Reserved without a workspace, so that no other one gets the visitors of the shared host.
        const reserved = sql`
          workspace_id = null, link_id = null, slug = a.slug_key, is_alias = false, held_for = null,
          free_at = case when a.link_id is null and a.held_for is null then a.free_at else ${freeAt} end`
        await inPieces(
          signal,
          () => sql`
            with deleted as (
              delete from links where ctid = any(array(
                select ctid from links where workspace_id = ${workspaceId} limit ${PIECE_ROWS}))
              returning id, domain_id, slug_key
            ), addresses as (
              delete from link_addresses a using deleted d
              where a.domain_id = d.domain_id and a.slug_key = d.slug_key
            ), shared as (
              update link_addresses a set ${reserved} from deleted d
              where d.domain_id is null and a.domain_id = '' and a.slug_key = d.slug_key
            ), counted as (
              delete from link_clicks where link_id in (select id from deleted)
            ), limited as (
              delete from link_quotas where link_id in (select id from deleted)
            )
            select from deleted`,
        )
        const isLeft = sql`and (is_alias or link_id is null)`
        await inPieces(
          signal,
          () => sql`
            update link_addresses a set ${reserved} where ctid = any(array(
              select ctid from link_addresses
              where workspace_id = ${workspaceId} and domain_id = '' ${isLeft} limit ${PIECE_ROWS}))`,
        )
        await emptyTable(sql, 'link_addresses', workspaceId, signal, isLeft)
        // Quotas of links that were deleted in the last hour.
        await emptyTable(sql, 'link_quotas', workspaceId, signal)
        await inTransaction(sql, (tx) => announceLinksOf(tx, workspaceId))
      },
    },
  ],
} as const satisfies Resource

export const folders = {} as const satisfies Resource

export const tags = {} as const satisfies Resource

export const campaigns = {
  scopes: { campaigns: { read: 'read campaigns', write: 'create, change and delete campaigns' } },
  limits: ['campaigns'],
  events: {
    'campaign.completed': {
      label: 'Campaign completed',
      description: 'A campaign ended or was marked as completed, for the first time.',
      data: Campaign,
    },
  },
} as const satisfies Resource

export const utmTemplates = {
  scopes: {
    'utm-templates': {
      read: 'read UTM templates',
      write: 'create, change and delete UTM templates',
    },
  },
  limits: ['utm_templates'],
} as const satisfies Resource

/** It has no scope of its own: each section needs the scope of what it finds. */
export const search = {} as const satisfies Resource

import { randomInt } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import { type Secrets, hashToken } from '../../platform/core/secrets.ts'
import { DASHBOARD_TOKEN } from '../../platform/storage/installation/sealed-columns.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import type { Dashboard } from './schema.ts'

export type DashboardRow = {
  id: string
  workspaceId: string
  title: string
  linkId: string | null
  campaignId: string | null
  folderId: string | null
  days: number
  passwordHash: string | null
  showConversions: boolean
  currency: string
  doIndex: boolean
  tokenHash: Uint8Array
  tokenSealed: Uint8Array
  revokedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type RowDeps = { secrets: Pick<Secrets, 'open'>; origin: () => string }

/** The page of a dashboard, below the origin of this server. */
const SHARE_PATH = '/share/'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 131 random bits. */
const TOKEN_CHARS = 22
const { purpose, boundTo } = DASHBOARD_TOKEN

export async function loadDashboard(
  tx: Tx,
  { workspaceId }: Principal,
  id: string,
  locking: Fragment = tx``,
): Promise<DashboardRow> {
  const [row] = await tx<DashboardRow[]>`
    select ${columnsOf(tx)} from dashboards
    where id = ${id} and workspace_id = ${workspaceId} ${locking}`
  if (!row) throw noSuchDashboard()
  return row
}

export function columnsOf(tx: Tx): Fragment {
  return tx`id, workspace_id, title, link_id, campaign_id, folder_id, days, password_hash,
    show_conversions, currency, do_index, token_hash, token_sealed, revoked_at, created_at, updated_at`
}

/** @throws ApiError SECRET_KEY_CHANGED */
export function toDashboard({ secrets, origin }: RowDeps, row: DashboardRow): Dashboard {
  const { id, title, linkId, campaignId, folderId, days, showConversions, currency, doIndex } = row
  return {
    ...{ id, title, linkId, campaignId, folderId, days },
    hasPassword: row.passwordHash !== null,
    ...{ showConversions, currency, doIndex },
    url: `${origin()}${SHARE_PATH}${secrets.open(purpose, boundTo(id), row.tokenSealed)}`,
    createdAt: row.createdAt.toISOString(),
    revokedAt: isoOrNull(row.revokedAt),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function noSuchDashboard(): ApiError {
  return new ApiError('NOT_FOUND', 'This dashboard does not exist.')
}

/** The columns of a new token. Only the sealed one has the token itself. */
export function newTokenColumns(secrets: Pick<Secrets, 'seal'>, id: string) {
  const token = Array.from(
    { length: TOKEN_CHARS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  ).join('')
  return { tokenHash: hashToken(token), tokenSealed: secrets.seal(purpose, boundTo(id), token) }
}

import { randomInt } from 'node:crypto'
import type { Secrets } from '../../platform/core/secrets.ts'
import { hashToken } from '../../platform/core/token.ts'
import { DASHBOARD_TOKEN } from '../../platform/storage/installation/sealed-columns.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 131 random bits. */
const CHARS = 22

export type TokenColumns = { tokenHash: Buffer; tokenSealed: Buffer }

/** The columns of a new token of a dashboard. The token itself is in the sealed one alone. */
export function newTokenColumns(secrets: Pick<Secrets, 'seal'>, id: string): TokenColumns {
  const token = Array.from({ length: CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const { purpose, boundTo } = DASHBOARD_TOKEN
  return { tokenHash: hashToken(token), tokenSealed: secrets.seal(purpose, boundTo(id), token) }
}

/** @throws ApiError SECRET_KEY_CHANGED */
export function openToken(secrets: Pick<Secrets, 'open'>, id: string, sealed: Uint8Array): string {
  const { purpose, boundTo } = DASHBOARD_TOKEN
  return secrets.open(purpose, boundTo(id), sealed)
}

import { createHmac, randomInt } from 'node:crypto'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

const COUNT = 10
const CHARS = 10
/** Crockford's base 32: 50 bits per code, without letters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

type Keys = Pick<Secrets, 'keyFor'>

/** Replaces all codes by ten new ones (`7K2QF-9M3XT`); only their hashes are stored. */
export async function replaceBackupCodes(keys: Keys, tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await tx`delete from backup_codes where user_id = ${userId}`
  await tx`insert into backup_codes ${tx(
    codes.map((code) => ({ userId, codeHash: hashCode(keys, userId, code) })),
  )}`
  return codes.map((code) => `${code.slice(0, CHARS / 2)}-${code.slice(CHARS / 2)}`)
}

/** Uses a code: one of several parallel uses succeeds. False for a wrong or used code. */
export async function useBackupCode(
  keys: Keys,
  tx: Tx,
  userId: string,
  text: string,
  now: Date,
): Promise<boolean> {
  const code = normalize(text)
  if (!CODE.test(code)) return false
  const used = await tx`
    update backup_codes set used_at = ${now}
    where user_id = ${userId} and code_hash = ${hashCode(keys, userId, code)} and used_at is null
    returning 1`
  return used.length === 1
}

/** The number of unused codes. */
export async function countBackupCodes(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from backup_codes where user_id = ${userId} and used_at is null`
  return row!.count
}

function hashCode(keys: Keys, userId: string, code: string): Buffer {
  return createHmac('sha256', keys.keyFor('backup-codes')).update(`${userId}:${code}`).digest()
}

function newCode(): string {
  return Array.from({ length: CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
}

/** Accepts codes as users type them: any case, without the dash, O for 0, I or L for 1. */
function normalize(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

import { createHmac, randomInt } from 'node:crypto'
import type { Secrets } from '../../base/secrets.ts'
import type { Tx } from '../../storage/postgres.ts'

const COUNT = 10
const CHARS = 10
/** Crockford's base 32: 50 bits a code, and no two letters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

export type BackupCodes = {
  /** Ten new codes (`7K2QF-9M3XT`) in place of the old ones; they are readable here and never again. */
  replace(tx: Tx, userId: string): Promise<string[]>
  /** Uses a code up. False when it is none of theirs, or was used: of parallel uses one is true. */
  use(tx: Tx, userId: string, code: string, now: Date): Promise<boolean>
  left(tx: Tx, userId: string): Promise<number>
}

export function createBackupCodes(secrets: Pick<Secrets, 'keyFor'>): BackupCodes {
  function hashOf(userId: string, code: string): Buffer {
    return createHmac('sha256', secrets.keyFor('backup-codes')).update(`${userId}:${code}`).digest()
  }

  return {
    async replace(tx, userId) {
      const codes = Array.from({ length: COUNT }, newCode)
      await tx`delete from backup_codes where user_id = ${userId}`
      await tx`insert into backup_codes ${tx(
        codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })),
      )}`
      return codes.map((code) => `${code.slice(0, CHARS / 2)}-${code.slice(CHARS / 2)}`)
    },
    async use(tx, userId, text, now) {
      const code = normalize(text)
      if (!CODE.test(code)) return false
      const used = await tx`
        update backup_codes set used_at = ${now}
        where user_id = ${userId} and code_hash = ${hashOf(userId, code)} and used_at is null
        returning 1`
      return used.length === 1
    },
    async left(tx, userId) {
      const [row] = await tx<{ count: number }[]>`
        select count(*) from backup_codes where user_id = ${userId} and used_at is null`
      return row!.count
    },
  }
}

function newCode(): string {
  return Array.from({ length: CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
}

/** As people copy them: any case, with or without the dash, O for 0, I or L for 1. */
function normalize(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

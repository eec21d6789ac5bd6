import { randomFillSync } from 'node:crypto'

/** Crockford base 32: ids sort by time and contain no characters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const POOL_BYTES = 8_000
const RANDOM_BYTES = 10

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES
let lastMs = -1
let lastTimePart = ''

/** A ULID: 48 bits of time in milliseconds, then 80 random bits. Each redirect makes one, so random bytes are pooled. */
export function ulid(nowMs: number): string {
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTimePart = encodeTime(nowMs)
  }
  if (used + RANDOM_BYTES > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const at = used
  used += RANDOM_BYTES
  return lastTimePart + encodeFive(at) + encodeFive(at + 5)
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME_CHARS = 10

export function isUlid(text: string): boolean {
  return ULID.test(text)
}

export function timeOfUlid(id: string): number {
  let ms = 0
  for (const digit of id.slice(0, TIME_CHARS)) ms = ms * 32 + ALPHABET.indexOf(digit)
  return ms
}

export function newId(prefix: string, nowMs: number): string {
  return `${prefix}_${ulid(nowMs)}`
}

function encodeTime(ms: number): string {
  let out = ''
  let rest = ms
  for (let i = 0; i < 10; i++) {
    out = ALPHABET.charAt(rest % 32) + out
    rest = Math.floor(rest / 32)
  }
  return out
}

function encodeFive(at: number): string {
  const high = (pool[at]! << 12) | (pool[at + 1]! << 4) | (pool[at + 2]! >> 4)
  const low = ((pool[at + 2]! & 15) << 16) | (pool[at + 3]! << 8) | pool[at + 4]!
  return (
    ALPHABET.charAt(high >> 15) +
    ALPHABET.charAt((high >> 10) & 31) +
    ALPHABET.charAt((high >> 5) & 31) +
    ALPHABET.charAt(high & 31) +
    ALPHABET.charAt(low >> 15) +
    ALPHABET.charAt((low >> 10) & 31) +
    ALPHABET.charAt((low >> 5) & 31) +
    ALPHABET.charAt(low & 31)
  )
}

import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `sp_`, 34 random base-62 characters (202 bits) and their CRC-32, by which secret scanners recognize keys. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 34
const CHECKSUM_CHARS = 6
const SHAPE = /^sp_[0-9A-Za-z]{40}$/

export function mintKey(): string {
  let secret = ''
  for (let i = 0; i < RANDOM_CHARS; i++) secret += BASE62[randomInt(BASE62.length)]
  return `sp_${secret}${checksum(secret)}`
}

export function isKeyShaped(key: string): boolean {
  if (!SHAPE.test(key)) return false
  const secret = key.slice(3, 3 + RANDOM_CHARS)
  return key.endsWith(checksum(secret))
}

/** `sp_AbC…wxyz`: distinguishes keys in a list, and is useless as a key. */
export function keyPrefix(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-4)}`
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let out = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

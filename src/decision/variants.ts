import { crc32 } from 'node:zlib'
import type { Variant } from '../platform/facts/link-options.ts'
import type { Visitor } from './link.ts'

/**
 * The index of a visitor's variant. It follows from link, address and user agent, so that a visitor gets the same one
 * again on every edge, and nothing is stored. The weights sum to 100.
 */
export function drawVariant(
  linkId: string,
  { address, userAgent }: Pick<Visitor, 'address' | 'userAgent'>,
  variants: readonly Pick<Variant, 'weight'>[],
): number {
  let point = crc32(`${linkId}\n${address}\n${userAgent}`) % 100
  for (const [i, { weight }] of variants.entries()) {
    point -= weight
    if (point < 0) return i
  }
  return variants.length - 1
}

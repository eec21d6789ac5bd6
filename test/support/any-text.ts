import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const MAX_CODE_POINT = 0x10_ffff

/** The `binary` unit of fast-check takes a second to prepare, once in each process. */
const codePoint = fc
  .nat(MAX_CODE_POINT - SURROGATES.count)
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))

/** Text of any characters of Unicode. */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}) {
  return fc.string({ ...lengths, unit: codePoint })
}

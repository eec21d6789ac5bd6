import fc from 'fast-check'
import type { HeaderLines } from './raw-http.ts'

/** Headers and trailers by which a client might try to take another identity. */
export type ClientCopies = { headers: HeaderLines; trailers: HeaderLines }

const NAMES = ['x-user-id', 'x-workspace-id', 'x-role', 'x-signpost-identity']
const VALUES = ['owner', 'usr_01', 'wsp_01', 'null', '*', '{}', '', 'v1.0000000000000.e30.AAAA']
const WRAPPERS = ['Connection', 'TE', 'Keep-Alive', 'Proxy-Connection']

const name = fc
  .tuple(fc.constantFrom(...NAMES), fc.array(fc.nat(2), { minLength: 20, maxLength: 20 }))
  .map(([text, styles]) =>
    Array.from(text, (char, i) => {
      const style = styles[i % styles.length]
      if (char === '-') return style === 0 ? '_' : '-'
      return style === 1 ? char.toUpperCase() : char
    }).join(''),
  )

/** Identity headers in any case, with `_`, several times, named by `Connection`, and as trailers. */
export function clientCopies(values: readonly string[] = []): fc.Arbitrary<ClientCopies> {
  const line = fc.tuple(name, fc.constantFrom(...VALUES, ...values))
  const wrapped = fc
    .tuple(fc.constantFrom(...WRAPPERS), fc.array(name, { minLength: 1, maxLength: 3 }))
    .map(([wrapper, names]) => [wrapper, names.join(', ')] as const)
  return fc.record({
    headers: fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.array(wrapped, { maxLength: 1 }))
      .map(([lines, named]) => [...lines, ...lines.slice(0, 1), ...named]),
    trailers: fc.array(line, { maxLength: 3 }),
  })
}

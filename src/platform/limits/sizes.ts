/** Bytes of a body, or of all bodies held at a time. Beyond: 413, or 429 for held bodies. */
export type Size = { readonly what: string; readonly per: string; readonly bytes: number }

const KIB = 1024
const MIB = 1024 * KIB
const OF_REQUEST = 'request'

export const SIZES = {
  body: { what: 'Any other body', per: OF_REQUEST, bytes: 256 * KIB },
  bulkBody: { what: 'Links or conversions in bulk', per: OF_REQUEST, bytes: 4 * MIB },
  domainBody: { what: 'A domain with its files', per: OF_REQUEST, bytes: 512 * KIB },
  importFile: { what: 'An import file', per: OF_REQUEST, bytes: 10 * MIB },
  image: { what: 'An uploaded image', per: OF_REQUEST, bytes: 5 * MIB },
  form: { what: 'A form without JavaScript', per: OF_REQUEST, bytes: 16 * KIB },
  passwordForm: { what: 'The password form of a link', per: OF_REQUEST, bytes: 4 * KIB },
  billingEvent: { what: 'An event of the payment provider', per: OF_REQUEST, bytes: MIB },
  largeBodies: {
    what: 'Bodies above 256 KiB in memory',
    per: 'user, and workspace',
    bytes: 32 * MIB,
  },
  smallBodies: { what: 'Other bodies in memory', per: 'user, and workspace', bytes: 32 * MIB },
  largeBodiesOfNetwork: {
    what: 'Bodies above 256 KiB in memory',
    per: 'network of the accounts',
    bytes: 96 * MIB,
  },
  /** Only several networks together can reach it. */
  largeBodiesOfAll: { what: 'Bodies above 256 KiB in memory', per: 'server', bytes: 192 * MIB },
  imagesOfNetwork: {
    what: 'Public images being sent',
    per: 'network',
    bytes: 8 * MIB,
  },
  imagesOfAll: {
    what: 'Public images being sent',
    per: 'redirect process',
    bytes: 32 * MIB,
  },
} satisfies Record<string, Size>

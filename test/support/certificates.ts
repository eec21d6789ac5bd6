import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { DAY_MS } from '../../src/platform/core/clock.ts'

export type Certificate = {
  /** PEM of the certificate alone. */
  cert: string
  /** PEM of its private key. */
  key: string
}
export type Authority = Certificate & {
  issue(options: IssueOptions): Certificate
  /** PEM of a certificate for a key that another party has. */
  certify(publicKey: KeyObject, options: IssueOptions): string
  subordinate(name: string): Authority
}
type IssueOptions = { names: readonly string[]; notBefore?: Date; notAfter?: Date }
type Signer = { name: string; privateKey: KeyObject }
type Subject = {
  name: string
  altNames: readonly string[]
  isAuthority: boolean
  notBefore: Date
  notAfter: Date
}

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
}

/**
 * A new certificate authority (P-256, RFC 5280), so that tests need neither the openssl
 * command nor keys in the repository. Names may be host names and IPv4 addresses.
 */
export function createAuthority(name = 'Test Authority', issuer?: Signer): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const self = { name, privateKey: keys.privateKey }
  const range = {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
  }
  const subject = { name, altNames: [], isAuthority: true, ...range }
  return {
    ...pem(certificate(subject, keys.publicKey, issuer ?? self), keys.privateKey),
    subordinate: (subordinateName) => createAuthority(subordinateName, self),
    issue(options) {
      const leafKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      return pem(certificate(toLeaf(options), leafKeys.publicKey, self), leafKeys.privateKey)
    },
    certify: (publicKey, options) => certPem(certificate(toLeaf(options), publicKey, self)),
  }

  function toLeaf(options: IssueOptions): Subject {
    const { names } = options
    return { ...range, ...options, name: names[0]!, altNames: names, isAuthority: false }
  }
}

/** A certificate that is its own issuer. */
export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const subject = {
    name: names[0]!,
    altNames: names,
    isAuthority: false,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
  }
  return pem(certificate(subject, publicKey, { name: names[0]!, privateKey }), privateKey)
}

function certificate(subject: Subject, publicKey: KeyObject, issuer: Signer): Buffer {
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const signedPart = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer.name),
    sequence(utcTime(subject.notBefore), utcTime(subject.notAfter)),
    distinguishedName(subject.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions(subject))),
  )
  const signature = sign('sha256', signedPart, issuer.privateKey)
  return sequence(signedPart, algorithm, tlv(0x03, Buffer.from([0]), signature))
}

function extensions({ altNames, isAuthority }: Subject): Buffer[] {
  const critical = tlv(0x01, Buffer.from([0xff]))
  const constraints = sequence(...(isAuthority ? [critical] : []))
  const found = [sequence(oid(OID.basicConstraints), critical, tlv(0x04, constraints))]
  if (altNames.length > 0) {
    const names = altNames.map((name) =>
      isIP(name) === 4
        ? tlv(0x87, Buffer.from(name.split('.').map(Number)))
        : tlv(0x82, Buffer.from(name, 'latin1')),
    )
    found.push(sequence(oid(OID.subjectAltName), tlv(0x04, sequence(...names))))
  }
  return found
}

function distinguishedName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid(OID.commonName), tlv(0x0c, Buffer.from(name)))))
}

/** `YYMMDDHHMMSSZ`: years 1950 to 2049. */
function utcTime(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))
}

function oid(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number)
  const bytes = [first! * 40 + second!]
  for (const arc of rest) {
    const groups = [arc & 127]
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 127) | 128)
    bytes.push(...groups)
  }
  return tlv(0x06, Buffer.from(bytes))
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes)
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

/** Tag, length, value (X.690, DER). */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), value])
}

function pem(der: Buffer, privateKey: KeyObject): Certificate {
  return { cert: certPem(der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function certPem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`
}

import { createHash, createPublicKey, sign } from 'node:crypto'
import {
  bits,
  bool,
  objectId,
  octets,
  sequence,
  setOf,
  smallInteger,
  tagged,
  utcTime,
  utf8,
} from './der.ts'
import { newPrivateKey, toPem } from './jws.ts'
import { ECDSA_WITH_SHA256, SUBJECT_ALT_NAME, toAltNames } from './signing-request.ts'

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const COMMON_NAME = '2.5.4.3'
const DAY_MS = 86_400_000

/**
 * The self-signed certificate that answers an authority during a handshake (TLS-ALPN-01, RFC 8737, 3), with a new key.
 * @param hostname in ASCII
 * @param answer the key authorization
 * @returns both in PEM
 */
export function createChallengeCertificate(
  hostname: string,
  answer: string,
): { cert: string; key: string } {
  const privateKey = newPrivateKey()
  const name = sequence(setOf(sequence(objectId(COMMON_NAME), utf8('ACME challenge'))))
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const digest = createHash('sha256').update(answer).digest()
  const extensions = sequence(
    sequence(objectId(SUBJECT_ALT_NAME), octets(toAltNames(hostname))),
    sequence(objectId(ACME_IDENTIFIER), bool(true), octets(octets(digest))),
  )
  const signed = sequence(
    tagged(0, smallInteger(2), true),
    smallInteger(1),
    algorithm,
    name,
    sequence(utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + DAY_MS))),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    tagged(3, extensions, true),
  )
  const certificate = sequence(signed, algorithm, bits(sign('sha256', signed, privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { cert, key: toPem(privateKey) }
}

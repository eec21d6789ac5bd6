import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
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
import { DAY_MS } from '../../platform/core/clock.ts'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const COMMON_NAME = '2.5.4.3'
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const SUBJECT_ALT_NAME = '2.5.29.17'

/** The host is in the subjectAltName only: authorities ignore the subject, and a common name is limited to 64. */
export function createSigningRequest(privateKey: KeyObject, hostname: string): Buffer {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const extension = sequence(objectId(SUBJECT_ALT_NAME), octets(toAltNames(hostname)))
  const attribute = sequence(objectId(EXTENSION_REQUEST), setOf(sequence(extension)))
  const request = sequence(smallInteger(0), sequence(), publicKey, tagged(0, attribute, true))
  const signature = sign('sha256', request, privateKey)
  return sequence(request, sequence(objectId(ECDSA_WITH_SHA256)), bits(signature))
}

/** The self-signed certificate that answers an authority in a handshake (RFC 8737, 3), in PEM. */
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

/** The value of a subjectAltName with one host (RFC 5280, 4.2.1.6). */
function toAltNames(hostname: string): Buffer {
  return sequence(tagged(2, Buffer.from(hostname, 'ascii'), false))
}

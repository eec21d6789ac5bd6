import { createPublicKey, sign, type KeyObject } from 'node:crypto'
import { bits, objectId, octets, sequence, setOf, smallInteger, tagged } from './der.ts'

export const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
export const SUBJECT_ALT_NAME = '2.5.29.17'

/**
 * A request for a certificate of one host (PKCS #10, RFC 2986), in DER. The host is its subjectAltName alone: the
 * subject is empty, since authorities ignore it and a common name has at most 64 characters.
 * @param privateKey on the curve P-256
 * @param hostname in ASCII
 */
export function createSigningRequest(privateKey: KeyObject, hostname: string): Buffer {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const extension = sequence(objectId(SUBJECT_ALT_NAME), octets(toAltNames(hostname)))
  const attribute = sequence(objectId(EXTENSION_REQUEST), setOf(sequence(extension)))
  const request = sequence(smallInteger(0), sequence(), publicKey, tagged(0, attribute, true))
  const signature = sign('sha256', request, privateKey)
  return sequence(request, sequence(objectId(ECDSA_WITH_SHA256)), bits(signature))
}

/** The value of a subjectAltName with one host (RFC 5280, 4.2.1.6). */
export function toAltNames(hostname: string): Buffer {
  return sequence(tagged(2, Buffer.from(hostname, 'ascii'), false))
}

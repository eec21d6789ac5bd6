import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Body = {
  body?: string
  bodyRule?: { prefix: string; repeat: string; times: number; suffix: string }
}
type Accepted = Body & {
  name: string
  secret: string
  timestamp: number
  header: string
  standardWebhooks: Record<string, string>
}
type Refused = Body & { name: string; secret: string; header: string; now: number }

const DOCS = join(import.meta.dirname, '../../docs')
export const EXAMPLES = join(DOCS, 'examples')
/** The published test vectors of signatures. */
export const vectors = JSON.parse(
  readFileSync(join(DOCS, 'webhook-signature-vectors.json'), 'utf8'),
) as {
  toleranceSeconds: number
  accepted: Accepted[]
  refused: Refused[]
}

export function bodyOf({ body, bodyRule: rule }: Body): string {
  return body ?? rule!.prefix + rule!.repeat.repeat(rule!.times) + rule!.suffix
}

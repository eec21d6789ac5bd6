import { invalid } from '../../platform/core/errors.ts'
import type { Card } from '../../platform/facts/link-options.ts'
import { checkDestination } from './destination.ts'
import { isMediaId } from '../write/images.ts'
import type { CardInput } from '../options/option-shapes.ts'

const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** A description may have several lines. */
const LINE_BREAK = /\r?\n/g

/**
 * The card of a request in the form in which it is stored; empty texts are null.
 * @param toMediaUrl the public address of an uploaded image, for cards
 * @throws ApiError VALIDATION_ERROR with a path such as `card.image`
 */
export function checkCard(input: CardInput, toMediaUrl: (id: string) => string): Card {
  const card = {
    title: checkText(input.title, 'card.title'),
    description: checkText(input.description, 'card.description'),
    image: input.image ? checkImage(input.image, toMediaUrl) : null,
  }
  if (Object.values(card).every((value) => value === null))
    throw invalid('card', 'card must have a title, a description or an image; null removes it.')
  return card
}

function checkText(input: string | null | undefined, path: string): string | null {
  const text = input?.trim().replace(LINE_BREAK, ' ')
  if (!text) return null
  if (CONTROL.test(text)) throw invalid(path, `${path} must not contain control characters.`)
  return text
}

/** An uploaded image becomes its public address. Images of this server are allowed, unlike destinations, since no visit is redirected to one. */
function checkImage(input: string, toMediaUrl: (id: string) => string): string {
  if (isMediaId(input)) return toMediaUrl(input)
  const path = 'card.image'
  const url = checkDestination(input, () => false, path)
  if (!/^https:/i.test(url)) throw invalid(path, `${path} must begin with https://.`, 'invalid_url')
  return url
}

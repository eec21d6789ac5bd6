import type { CardInput } from '../options/option-shapes.ts'

const MEDIA_ID = /^med_\w+$/
/** The end of an image's public address. */
const MEDIA_ADDRESS = /\/media-public\/(med_[0-9A-Z]{26})(?:\?|$)/

type Shown = {
  card?: CardInput | null | undefined
  qrLogoMediaId?: string | null | undefined
}

export function isMediaId(image: string): boolean {
  return MEDIA_ID.test(image)
}

/** Null for a URL, and without an image. */
export function mediaOfCard(card: CardInput | null | undefined): string | null {
  return card?.image && isMediaId(card.image) ? card.image : null
}

/** The ids in these fields, and the id in a public address of the card. */
export function imagesOf({ card, qrLogoMediaId }: Shown): string[] {
  return [mediaOfCard(card), mediaOfAddress(card?.image), qrLogoMediaId].filter(
    (id) => typeof id === 'string',
  )
}

/**
 * Changes that remove images of this server that are gone.
 * @param known ids of existing images
 * @param origin of the short URLs and public images
 */
export function leaveOutImages(
  { card, qrLogoMediaId }: Shown,
  known: ReadonlySet<string>,
  origin: string,
): { card?: CardInput | null; qrLogoMediaId?: null } {
  const image = card?.image
  const shown = image?.startsWith(`${origin}/`) ? mediaOfAddress(image) : null
  return {
    ...(shown !== null && !known.has(shown) && { card: withoutImage(card!) }),
    ...(qrLogoMediaId && !known.has(qrLogoMediaId) && { qrLogoMediaId: null }),
  }
}

/** Null if nothing else is left. */
function withoutImage(card: CardInput): CardInput | null {
  return card.title || card.description ? { ...card, image: null } : null
}

function mediaOfAddress(image: string | null | undefined): string | null {
  return MEDIA_ADDRESS.exec(image ?? '')?.[1] ?? null
}

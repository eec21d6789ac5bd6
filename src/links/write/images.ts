import type { CardInput } from '../options/option-shapes.ts'

const MEDIA_ID = /^med_\w+$/
/** The end of the public address of an uploaded image. */
const MEDIA_ADDRESS = /\/media-public\/(med_[0-9A-Z]{26})(?:\?|$)/

/** Fields of a link that show images. */
type Shown = {
  card?: CardInput | null | undefined
  qrLogoMediaId?: string | null | undefined
}

/** Whether the image of a card is the id of an uploaded one, and no URL. */
export function isMediaId(image: string): boolean {
  return MEDIA_ID.test(image)
}

/** The id of an uploaded image that a card names; null for a URL, and without an image. */
export function mediaOfCard(card: CardInput | null | undefined): string | null {
  return card?.image && isMediaId(card.image) ? card.image : null
}

/** The ids of images that the fields name, and that of a public address in the card. */
export function imagesOf({ card, qrLogoMediaId }: Shown): string[] {
  return [mediaOfCard(card), mediaOfAddress(card?.image), qrLogoMediaId].filter(
    (id) => typeof id === 'string',
  )
}

/**
 * The changes that leave out images of this server that are gone.
 * @param known ids of the images that are there
 * @param origin of the short URLs, where images have their public addresses
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

/** A card without its image; null if it has nothing else. */
function withoutImage(card: CardInput): CardInput | null {
  return card.title || card.description ? { ...card, image: null } : null
}

function mediaOfAddress(image: string | null | undefined): string | null {
  return MEDIA_ADDRESS.exec(image ?? '')?.[1] ?? null
}

import { SIZES } from '../../platform/limits/sizes.ts'
import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  idShape,
  integer,
  oneOf,
  PageQuery,
  text,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { IMAGE_TYPES } from './containers.ts'

export const MAX_FILE_BYTES = SIZES.image.bytes

const MediaUse = object('MediaUse', {
  type: oneOf(
    ['link', 'bio_page', 'workspace'],
    'What shows the image. A `workspace` has it as its logo.',
    'link',
  ),
  id: text('Its id.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  name: text('Its name.', 'Spring sale'),
})
export type MediaUse = Static<typeof MediaUse>

export const Media = object('Media', {
  id: idShape('med', 'Id of the image.'),
  workspaceId: WorkspaceId,
  filename: text('The name it was uploaded under, without characters that paths use.', 'logo.png'),
  contentType: oneOf(IMAGE_TYPES, 'Its type, by its content.', 'image/png'),
  size: integer('Its size in bytes.', 18_204),
  width: integer('In pixels, as it is shown.', 512),
  height: integer('In pixels, as it is shown.', 512),
  frames: integer('More than 1 for an animation.', 1),
  sha256: text('SHA-256 of its bytes, in hexadecimal digits.', 'a'.repeat(64)),
  url: text(
    'Its public address. While a published page, the card of a link or the pages for visitors show the image, it serves a copy without metadata.',
    'https://links.example.com/media-public/med_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
  usedBy: described(Type.Array(MediaUse), 'What shows it, at most 20.', []),
  createdAt: CreatedAt,
})
export type Media = Static<typeof Media>

export const ListMedia = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    text('Only images with this text in their names, in any case.', 'logo', { maxLength: 100 }),
  ),
})
export type ListMedia = Static<typeof ListMedia>

export const MediaMeta = object('MediaMeta', {
  total: integer('Number of images in all.', 1),
  limit: integer('The `limit` of this page.', 50),
  offset: integer('The `offset` of this page.', 0),
  usedBytes: integer('Bytes of all images of the workspace.', 18_204),
})

export const DeleteMedia = Type.Object({
  force: described(
    Type.Boolean({ default: false }),
    'Also deletes an image that is in use, and removes it from what shows it.',
    false,
  ),
})
export type DeleteMedia = Static<typeof DeleteMedia>

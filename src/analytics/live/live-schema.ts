import { Type, type Static } from 'typebox'
import { idInput, integer, text } from '../../platform/resources/shapes.ts'

const MAX_SECONDS = 4 * 3_600

export const LiveQuery = Type.Object({
  linkId: Type.Optional(idInput('lnk', 'Only clicks of this link.')),
  maxSeconds: integer(
    'The stream ends after this time. 0 sends what came after `Last-Event-ID`, and ends.',
    3_600,
    { minimum: 0, maximum: MAX_SECONDS, default: MAX_SECONDS },
  ),
})
export type LiveQuery = Static<typeof LiveQuery>

export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(
    text(
      'The `id` of the last event that the client received: the clicks after it come first.',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      { maxLength: 100 },
    ),
  ),
})
export type LiveHeaders = Static<typeof LiveHeaders>

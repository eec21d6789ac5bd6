import { oneOf } from '../platform/resources/shapes.ts'

const REASONS = {
  sp_id: 'its signed `sp_id` names the click',
  click_id: 'its `clickId` is that of a click of the workspace',
  customer: 'it was the last click of the customer in 30 days',
  link: 'the request names the link, and no click is known',
  waiting: 'its click is not stored yet; ten minutes decide',
  unknown_click: 'no click of the workspace had this id after ten minutes',
  old_click: 'its click was more than 30 days before',
  later_click: 'its click was made after it',
  no_click: 'it names neither a click nor a link, and the customer has no click in 30 days',
  too_many_waiting:
    'its click was not stored yet, and too many others of the workspace waited for theirs',
} as const
export type Reason = keyof typeof REASONS
export const ReasonName = oneOf(
  Object.keys(REASONS) as Reason[],
  `Why it is attributed to this link, or to none: ${Object.entries(REASONS)
    .map(([name, says]) => `\`${name}\`: ${says}`)
    .join('; ')}.`,
  'sp_id',
)

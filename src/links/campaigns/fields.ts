import { invalid } from '../../platform/core/errors.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkTags, toUtmColumns } from '../labels.ts'
import type { CampaignRow } from './row.ts'
import { NAME_MAX_CHARS, type Status, type UpdateCampaign } from './schema.ts'

type Before = Pick<CampaignRow, 'status' | 'startsAt' | 'endsAt' | 'completedAt'>

const NEW: Before = { status: 'draft', startsAt: null, endsAt: null, completedAt: null }

export function checkFields(
  input: UpdateCampaign,
  before: Before | null,
  now: Date,
): Partial<CampaignRow> {
  const { name, description, tags, goal } = input
  const columns: Partial<CampaignRow> = {
    ...(name !== undefined && { name: checkName(name, 'name', NAME_MAX_CHARS) }),
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(tags !== undefined && { tags: checkTags(tags) }),
    ...(goal !== undefined && { goal: goal && { metric: goal.metric, target: goal.target } }),
    ...(input.startsAt !== undefined && { startsAt: toDateOrNull(input.startsAt, 'startsAt') }),
    ...(input.endsAt !== undefined && { endsAt: toDateOrNull(input.endsAt, 'endsAt') }),
    ...(input.status !== undefined && { status: input.status }),
    ...toUtmColumns(input),
  }
  const { startsAt, endsAt } = { ...(before ?? NEW), ...columns }
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', 'endsAt must be after startsAt.')
  return { ...columns, ...toCompletion(columns, before ?? NEW, now) }
}

function isRunning(status: Status): boolean {
  return status === 'active' || status === 'paused'
}

/** A campaign that starts to run, or gets another end, must end in the future: the sweep would complete it at once. */
function toCompletion(columns: Partial<CampaignRow>, before: Before, now: Date) {
  const { status, endsAt } = { ...before, ...columns }
  const isOther = endsAt?.getTime() !== before.endsAt?.getTime()
  if (isRunning(status) && (isOther || !isRunning(before.status)) && endsAt && endsAt <= now)
    throw invalid(
      'endsAt',
      `endsAt must be in the future for a campaign with the status ${status}; set a later time or null, or the status completed.`,
      'past',
    )
  if (status === 'archived') return {}
  if (status !== 'completed') return { completedAt: null }
  return before.completedAt === null ? { completedAt: now } : {}
}

function toDateOrNull(value: string | null, path: string): Date | null {
  return value === null ? null : toDate(value, path)
}

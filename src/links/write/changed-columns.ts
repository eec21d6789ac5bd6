import { ApiError } from '../../platform/core/errors.ts'
import { isDifferent } from '../../platform/resources/changes.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { checkFields, checkStatus, type Columns } from '../link/fields.ts'
import type { Groups } from './groups.ts'
import type { LinkRow } from '../link/row.ts'
import type { UpdateLink } from '../link/schema.ts'
import { show } from '../link/stored.ts'

type Deps = Pick<LinkDeps, 'shortHost' | 'clock'>
type PasswordColumn = { passwordHash?: string | null }

/** A requested change of a link. */
export type Change = { input: UpdateLink; groups: Groups; password?: PasswordColumn }

/**
 * The columns that a change of a locked link writes; null without a difference.
 * @throws ApiError VALIDATION_ERROR with the field's path; FORBIDDEN
 */
export function toChangedColumns(
  deps: Deps,
  before: LinkRow,
  { input, groups, password = {} }: Change,
  now: Date,
): (Columns & PasswordColumn) | null {
  const columns = { ...checkChange(deps, before, input, groups, now.getTime()), ...password }
  if (input.status === show(deps, before).status) delete columns.status
  else checkStatus(input.status)
  if (columns.status !== undefined && columns.status !== before.status)
    columns.archivedAt = columns.status === 'archived' ? now : null
  if (!isDifferent(before, columns)) return null
  if (before.status === 'blocked') throw linkBlocked()
  return columns
}

function linkBlocked(): ApiError {
  const message = 'The operator has blocked this link; it cannot be changed.'
  return new ApiError('FORBIDDEN', message, [{ path: 'status', message, code: 'blocked' }])
}

/** @throws ApiError VALIDATION_ERROR with the field's path */
export function checkChange(
  { shortHost }: Pick<Deps, 'shortHost'>,
  before: LinkRow,
  input: UpdateLink,
  groups: Groups,
  nowMs: number,
): Columns {
  return checkFields(withoutOwnSlug(input, before), shortHost(), before, groups, nowMs)
}

/** Leaves out an unchanged slug: it is not checked again, since it may have become reserved. */
function withoutOwnSlug(input: UpdateLink, before: LinkRow): UpdateLink {
  return input.slug === before.slug ? { ...input, slug: null } : input
}

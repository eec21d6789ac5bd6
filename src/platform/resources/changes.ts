import type { Changes } from '../audit/audit.ts'

/** Old and new value of each field that differs, compared as JSON. */
export function getChanges<After extends object>(
  before: After,
  after: Partial<After>,
  ignored: readonly (keyof After)[] = [],
): Changes {
  const fields = (Object.keys(after) as (keyof After & string)[]).filter(
    (field) =>
      !ignored.includes(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(
    fields.map((field) => [field, { old: before[field], new: after[field] }]),
  )
}

export function isDifferent<Row extends object>(before: Row, columns: Partial<Row>): boolean {
  return Object.keys(getChanges(before, columns)).length > 0
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { DAYS, draftOf, toChange, toNew, type Draft } from './draft.ts'
import type { Report } from './queries.ts'
import { ScheduleFields } from './schedule-fields.tsx'

const TYPES = Object.keys(text.reports.types) as Report['type'][]
const FORMATS = Object.keys(text.reports.formats) as Report['format'][]

/** Asks for a report, or changes one. */
export function ReportDrawer({
  report = null,
  onClose,
}: {
  report?: Report | null
  onClose: () => void
}) {
  const { timezone } = useWorkspace()
  const [before] = useState(() => draftOf(report, timezone))
  const [draft, setDraft] = useState(before)
  const save = useSave(report, onClose)
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  return (
    <Drawer
      title={report ? text.reports.edit : text.reports.new_}
      isChanged={JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="report-form" isBusy={save.isPending}>
          {report ? text.actions.save : text.reports.create}
        </Button>
      }
    >
      <form
        id="report-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(draft)
        }}
      >
        {Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
        <TextField
          label={text.reports.name}
          hint={report ? undefined : text.reports.nameHint}
          required={report !== null}
          autoFocus
          maxLength={100}
          value={draft.name}
          onValue={(name) => change({ name })}
          error={errors.name}
        />
        {!report && <ContentFields draft={draft} onChange={change} />}
        {draft.days !== '' && (
          <SelectField
            label={text.reports.days}
            value={draft.days}
            options={toDays(draft.days)}
            onValue={(days) => change({ days })}
            error={errors['filters.days']}
          />
        )}
        <ScheduleFields draft={draft} errors={errors} onChange={change} />
      </form>
    </Drawer>
  )
}

function toDays(present: string): { value: string; label: string }[] {
  const days = DAYS.some((each) => each === present) ? DAYS : [present, ...DAYS]
  return days.map((value) => ({ value, label: text.reports.lastDays(Number(value)) }))
}

type ContentProps = { draft: Draft; onChange: (part: Partial<Draft>) => void }

function ContentFields({ draft: { type, format }, onChange }: ContentProps) {
  const isAdmin = useMay('admin')
  const types = TYPES.filter((each) => each !== 'audit_log' || isAdmin)
  return (
    <>
      <SelectField
        label={text.reports.type}
        value={type}
        options={types.map((value) => ({ value, label: text.reports.types[value] }))}
        onValue={(value) => onChange({ type: value })}
      />
      <SelectField
        label={text.reports.format}
        value={format}
        options={FORMATS.map((value) => ({ value, label: text.reports.formats[value] }))}
        onValue={(value) => onChange({ format: value })}
      />
    </>
  )
}

function useSave(report: Report | null, onClose: () => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft) => {
      if (!report) return dataOf(api.POST('/reports', { body: toNew(draft) }))
      const params = { path: { id: report.id } }
      return dataOf(api.PATCH('/reports/{id}', { params, body: toChange(draft, report) }))
    },
    onSuccess: async ({ name }) => {
      if (!report) showToast(text.reports.asked(name))
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'reports'] })
      onClose()
    },
  })
}

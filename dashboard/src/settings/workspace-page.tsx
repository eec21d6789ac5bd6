import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf, setWorkspace } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { Card } from '../kit/layout.tsx'
import { applyPreferences } from '../kit/preferences.ts'
import { showToast } from '../kit/toast.ts'
import { readAction } from '../kit/read-action.ts'
import { text } from '../text/en.ts'

export function WorkspacePage() {
  const { id } = useWorkspace()
  const mayChange = useMay('admin')
  const mayDelete = useMay('owner')
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Facts />
      {mayChange && <General key={id} />}
      {mayDelete && <Danger />}
    </div>
  )
}

function Facts() {
  const { id, name, role, plan } = useWorkspace()
  const mayChange = useMay('admin')
  const row = 'contents'
  return (
    <Card>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 p-4 text-sm">
        {!mayChange && (
          <div className={row}>
            <dt className="text-soft">{text.settings.name}</dt>
            <dd className="break-words">{name}</dd>
          </div>
        )}
        <div className={row}>
          <dt className="text-soft">{text.settings.role}</dt>
          <dd>{text.settings.roles[role]}</dd>
        </div>
        <div className={row}>
          <dt className="text-soft">{text.settings.plan}</dt>
          <dd>{readAction(plan)}</dd>
        </div>
        <div className={row}>
          <dt className="text-soft">{text.settings.id}</dt>
          <dd className="flex min-w-0 items-center gap-2">
            <code className="truncate font-mono" title={text.settings.idHint}>
              {id}
            </code>
            <CopyIcon value={id} label={text.settings.copyId} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function General() {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [name, setName] = useState(workspace.name)
  const [honorsPrivacySignals, setHonors] = useState(workspace.honorsPrivacySignals)
  const [timezone, setTimezone] = useState(workspace.timezone)
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/workspaces/{id}', {
          params: { path: { id: workspace.id } },
          body: { name: name.trim(), timezone, honorsPrivacySignals },
        }),
      ),
    onSuccess: async ({ timezone: zone }) => {
      showToast(text.settings.saved)
      const session = queryClient.getQueryData(sessionQuery.queryKey)
      if (session) applyPreferences(session.preferences, zone)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ])
    },
  })
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <Card title={text.settings.general}>
      <form
        className="flex flex-col gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
        <TextField
          label={text.settings.name}
          required
          maxLength={100}
          value={name}
          onValue={setName}
          error={errors.name}
        />
        <SelectField
          label={text.settings.timezone}
          hint={text.settings.timezoneHint}
          value={timezone}
          options={listTimeZones(workspace.timezone)}
          onValue={setTimezone}
          error={errors.timezone}
        />
        <CheckField
          label={text.settings.privacySignals}
          hint={text.settings.privacySignalsHint}
          checked={honorsPrivacySignals}
          onChecked={setHonors}
        />
        <div>
          <Button look="primary" type="submit" isBusy={save.isPending}>
            {text.actions.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The zones of the browser, UTC, and the present one, which may be an older name. */
function listTimeZones(present: string): { value: string; label: string }[] {
  const names = new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])
  return [...names].map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

function Danger() {
  const { id, name } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await ask(api.DELETE('/workspaces/{id}', { params: { path: { id } }, body: { confirm: name } }))
    showToast(text.settings.deleted(name))
    setWorkspace(null)
    queryClient.removeQueries({ queryKey: [id] })
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    // Otherwise the start would still choose this workspace.
    queryClient.removeQueries({ queryKey: workspacesQuery.queryKey })
    await navigate({ to: '/' })
  }
  return (
    <Card title={text.settings.danger} className="border-stop!">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="max-w-md text-sm text-soft">{text.settings.deleteExplain}</p>
        <Button look="danger" icon="trash-2" onClick={() => setOpen(true)}>
          {text.settings.delete}
        </Button>
      </div>
      {isOpen && (
        <Confirm
          title={text.settings.deleteTitle(name)}
          action={text.settings.delete}
          word={name}
          onConfirm={remove}
          onClose={() => setOpen(false)}
        >
          {text.settings.deleteExplain}
        </Confirm>
      )}
    </Card>
  )
}

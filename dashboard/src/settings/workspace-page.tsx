import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Fact } from '../kit/fact.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { Card } from '../kit/layout.tsx'
import { zoneOptions } from '../kit/lists.ts'
import { applyPreferences } from '../kit/preferences.ts'
import { readAction } from '../kit/read-action.ts'
import { readPlan } from '../kit/read-plan.ts'
import { useForm } from '../kit/use-form.ts'
import { useLeaveWorkspace } from '../kit/use-leave-workspace.ts'
import { text } from '../text/settings.ts'
import { BrandCard } from './brand-card.tsx'

export function WorkspacePage() {
  const { id } = useWorkspace()
  const mayChange = useMay('admin')
  const mayDelete = useMay('owner')
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Facts />
      {mayChange && <General key={id} />}
      {mayChange && <BrandCard key={`brand ${id}`} />}
      {mayDelete && <Danger />}
    </div>
  )
}

function Facts() {
  const { id, name, role, plan } = useWorkspace()
  const mayChange = useMay('admin')
  return (
    <Card>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 p-4 text-sm">
        {!mayChange && <Fact name={text.settings.name}>{name}</Fact>}
        <Fact name={text.settings.role}>{text.names.roles[role]}</Fact>
        <Fact name={text.settings.plan}>{readPlan(readAction(plan))}</Fact>
        <Fact name={text.settings.id}>
          <span className="flex min-w-0 items-center gap-2">
            <code className="truncate font-mono" title={text.settings.idHint}>
              {id}
            </code>
            <CopyIcon value={id} label={text.settings.copyId} />
          </span>
        </Fact>
      </dl>
    </Card>
  )
}

function General() {
  const { id, name, timezone, honorsPrivacySignals } = useWorkspace()
  const queryClient = useQueryClient()
  const form = useForm({
    start: () => ({ name, timezone, honorsPrivacySignals }),
    save: (draft) =>
      dataOf(
        api.PATCH('/workspaces/{id}', {
          params: { path: { id } },
          body: { ...draft, name: draft.name.trim() },
        }),
      ),
    refreshes: [workspacesQuery.queryKey, sessionQuery.queryKey],
    told: () => text.settings.saved,
    onSaved: (saved) => {
      const session = queryClient.getQueryData(sessionQuery.queryKey)
      if (session) applyPreferences(session.preferences, saved.timezone)
    },
  })
  return (
    <Card title={text.settings.general}>
      <PageForm form={form} className="p-4" action={text.actions.save} button={{ look: 'primary' }}>
        <TextField label={text.settings.name} required maxLength={100} {...form.field('name')} />
        <SelectField
          label={text.settings.timezone}
          hint={text.settings.timezoneHint}
          options={zoneOptions(timezone)}
          {...form.field('timezone')}
        />
        <CheckField
          label={text.settings.privacySignals}
          hint={text.settings.privacySignalsHint}
          {...form.field('honorsPrivacySignals')}
        />
      </PageForm>
    </Card>
  )
}

function Danger() {
  const { id, name } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const leaveWorkspace = useLeaveWorkspace()
  const params = { path: { id } }
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
          told={text.settings.deleted(name)}
          onGone={leaveWorkspace}
          onConfirm={() => ask(api.DELETE('/workspaces/{id}', { params, body: { confirm: name } }))}
          onClose={() => setOpen(false)}
        >
          {text.settings.deleteExplain}
        </Confirm>
      )}
    </Card>
  )
}

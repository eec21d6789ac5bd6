import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Fact } from '../kit/fact.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormPopup } from '../kit/form-drawer.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Skeleton } from '../kit/layout.tsx'
import { formatNumber } from '../kit/locale.ts'
import { PageForm } from '../kit/page-form.tsx'
import { readPlan } from '../kit/read-plan.ts'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/server.ts'
import { REFRESHES, workspaceQuery } from './queries.ts'
import { WorkspaceState } from './workspace-state.tsx'

type Workspace = AuthSchemas['ServerWorkspaceDetail']

/** A workspace, its plan, its rate limit and its suspension. */
export function WorkspaceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(id))
  return (
    <Drawer title={workspace?.name ?? text.server.workspaces.one} onClose={onClose}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!workspace && !error && <Skeleton rows={8} />}
      {workspace && (
        <div className="flex flex-col gap-5">
          <Facts workspace={workspace} />
          <Settings
            key={`${workspace.plan} ${workspace.apiRequestsPerMinute}`}
            {...{ workspace }}
          />
          <People workspace={workspace} />
        </div>
      )}
    </Drawer>
  )
}

function Facts({ workspace }: { workspace: Workspace }) {
  const { id, state, links, clicksThisMonth, createdAt, suspendedAt } = workspace
  const words = text.server.workspaces
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact name={words.id}>
          <span className="font-mono break-all">{id}</span>
        </Fact>
        <Fact name={words.state}>
          <WorkspaceState state={state} />
          {suspendedAt && <span className="block text-soft">{formatDateTime(suspendedAt)}</span>}
        </Fact>
        <Fact name={words.links}>{formatNumber(links)}</Fact>
        <Fact name={words.clicksThisMonth}>
          {clicksThisMonth === null ? text.actions.none : formatNumber(clicksThisMonth)}
        </Fact>
        <Fact name={words.created}>{formatDateTime(createdAt)}</Fact>
      </dl>
      <Suspension workspace={workspace} />
    </div>
  )
}

function Suspension({ workspace: { id, name, state } }: { workspace: Workspace }) {
  const [isAsking, setAsking] = useState(false)
  const words = text.server.workspaces
  const params = { path: { id } }
  const resume = useAction(
    () => dataOf(auth.POST('/operator/workspaces/{id}/resume', { params })),
    { refreshes: REFRESHES, told: () => words.resumed(name) },
  )
  if (state === 'blocked') return <p className="text-sm text-soft">{words.blockedHint}</p>
  return (
    <div>
      {state === 'suspended' ? (
        <Button icon="play" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          {words.resume}
        </Button>
      ) : (
        <Button icon="pause" onClick={() => setAsking(true)}>
          {words.suspend}
        </Button>
      )}
      {isAsking && <SuspendPopup {...{ id, name }} onClose={() => setAsking(false)} />}
    </div>
  )
}

function SuspendPopup({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const words = text.server.workspaces
  const form = useForm({
    start: () => ({ reason: '' }),
    save: ({ reason }) =>
      dataOf(
        auth.POST('/operator/workspaces/{id}/suspend', {
          params: { path: { id } },
          body: reason.trim() ? { reason: reason.trim() } : {},
        }),
      ),
    refreshes: REFRESHES,
    told: () => words.suspended(name),
    onSaved: onClose,
  })
  return (
    <FormPopup
      form={form}
      title={words.suspendTitle(name)}
      action={words.suspend}
      button={{ look: 'danger' }}
      onClose={onClose}
    >
      <p className="text-sm">{words.suspendExplain}</p>
      <TextField
        label={text.server.reason}
        hint={text.server.reasonHint}
        maxLength={500}
        {...form.field('reason')}
      />
    </FormPopup>
  )
}

function Settings({ workspace }: { workspace: Workspace }) {
  const { id, plan, plans, apiRequestsPerMinute } = workspace
  const words = text.server.workspaces
  const form = useForm({
    start: () => ({ plan, rate: apiRequestsPerMinute === null ? '' : `${apiRequestsPerMinute}` }),
    save: (draft) =>
      dataOf(
        auth.PATCH('/operator/workspaces/{id}', {
          params: { path: { id } },
          body: {
            plan: draft.plan,
            apiRequestsPerMinute: draft.rate.trim() ? Number(draft.rate) : null,
          },
        }),
      ),
    refreshes: REFRESHES,
    told: () => text.server.saved,
  })
  // A plan that a workspace has may no longer be one of the server.
  const names = new Map([[plan, plan], ...plans.map((each) => [each.id, each.name] as const)])
  return (
    <PageForm
      form={form}
      action={text.actions.save}
      button={{ look: 'primary', disabled: !form.isChanged }}
    >
      <SelectField
        label={words.plan}
        hint={words.planHint}
        options={[...names].map(([value, label]) => ({ value, label: readPlan(label) }))}
        {...form.field('plan')}
      />
      <TextField
        label={words.rate}
        hint={words.rateHint}
        type="number"
        min={1}
        {...form.field('rate', 'apiRequestsPerMinute')}
      />
    </PageForm>
  )
}

function People({ workspace: { people, members } }: { workspace: Workspace }) {
  const words = text.server.workspaces
  return (
    <section>
      <h3 className="pb-1 text-base font-semibold">{words.members(members)}</h3>
      <ul className="text-sm">
        {people.map(({ id, name, email, role }) => (
          <li key={id} className="flex items-center gap-3 border-t border-line py-1.5">
            <div className="min-w-0 flex-1">
              <p className="truncate font-semibold">{name}</p>
              <p className="truncate text-soft">{email}</p>
            </div>
            <span className="shrink-0">{text.names.roles[role]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

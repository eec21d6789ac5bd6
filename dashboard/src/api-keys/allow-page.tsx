import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { hasRole, sessionQuery, workspacesQuery } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { Logo } from '../kit/logo.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { useTabTitle } from '../kit/tab-title.ts'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/apps.ts'
import { appRequestQuery, type AppRequest } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { toAccess, toScopes } from './scopes.ts'

/** Asks whether an app or a device may have a key, and with which rights. */
export function AllowPage() {
  const { request } = useSearch({ from: '/signed-in/allow' })
  if (request === undefined) return <CodePage />
  return <Question key={request} id={request} />
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  useTabTitle(title)
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 px-5 py-10">
      <Logo size={28} />
      <h1 className="text-xl font-bold break-words">{title}</h1>
      {children}
    </main>
  )
}

function CodePage() {
  const navigate = useNavigate()
  const form = useForm({
    start: () => ({ code: '' }),
    save: async ({ code }) => code.trim(),
    refreshes: [],
    onSaved: (request) => navigate({ to: '/allow', search: { request } }),
  })
  return (
    <Frame title={text.apps.codeTitle}>
      <PageForm form={form} action={text.apps.goOn} isWide button={{ look: 'primary' }}>
        <TextField
          label={text.apps.code}
          hint={text.apps.codeHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={16}
          required
          autoFocus
          {...form.field('code')}
        />
      </PageForm>
    </Frame>
  )
}

function Question({ id }: { id: string }) {
  const request = useQuery(appRequestQuery(id))
  const workspaces = useQuery(workspacesQuery)
  const [outcome, setOutcome] = useState<string | null>(null)
  if (outcome !== null) return <Frame title={outcome}>{null}</Frame>
  const error = request.error ?? workspaces.error
  if (!request.data || !workspaces.data)
    return (
      <Frame title={text.apps.codeTitle}>
        {error ? <ErrorNote error={error} /> : <Skeleton />}
      </Frame>
    )
  const choices = workspaces.data.filter(({ role }) => hasRole(role, 'admin'))
  return (
    <Frame title={text.apps.allowTitle(request.data.name)}>
      <Facts id={id} request={request.data} />
      <Answer id={id} request={request.data} workspaces={choices} onAnswered={setOutcome} />
    </Frame>
  )
}

function Facts({ id, request }: { id: string; request: AppRequest }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { kind, host, returnsTo } = request
  return (
    <div className="flex flex-col gap-2 text-sm">
      {kind === 'device' ? (
        <>
          <p>{text.apps.checkDevice}</p>
          <p className="font-mono text-lg font-semibold">{id.toUpperCase()}</p>
        </>
      ) : (
        <>
          <p className="break-words">
            {host === null ? text.apps.isUnknown : text.apps.describedBy(host)}
          </p>
          <p className="font-semibold break-words">
            {isThisMachine(returnsTo)
              ? text.apps.returnsHere
              : text.apps.returnsTo(returnsTo ?? '')}
          </p>
        </>
      )}
      {session && <p className="text-soft">{text.apps.signedInAs(session.user.email)}</p>}
    </div>
  )
}

function isThisMachine(place: string | null): boolean {
  return place === 'localhost' || place === '127.0.0.1' || place === '[::1]'
}

function Answer({
  id,
  request,
  workspaces,
  onAnswered,
}: {
  id: string
  request: AppRequest
  workspaces: readonly { id: string; name: string }[]
  onAnswered: (outcome: string) => void
}) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const asked = toAccess(request.scopes)
  const params = { path: { request: id } }
  const leave = (redirectUrl: string | null, outcome: string) => {
    onAnswered(redirectUrl === null ? outcome : text.apps.returning)
    if (redirectUrl !== null) location.assign(redirectUrl)
  }
  const form = useForm({
    start: () => {
      const active = workspaces.find((each) => each.id === session?.workspace?.id)
      return { workspaceId: (active ?? workspaces[0])?.id ?? '', access: asked }
    },
    save: ({ workspaceId, access }) =>
      dataOf(
        auth.POST('/auth/oauth/requests/{request}/allow', {
          params,
          body: { workspaceId, scopes: toScopes(access) },
        }),
      ),
    refreshes: [],
    onSaved: ({ redirectUrl }) => leave(redirectUrl, text.apps.allowed),
  })
  const deny = useAction(
    () => dataOf(auth.POST('/auth/oauth/requests/{request}/deny', { params })),
    {
      refreshes: [],
      onDone: ({ redirectUrl }) => leave(redirectUrl, text.apps.denied),
    },
  )
  const denial = (
    <Button isBusy={deny.isPending} onClick={() => deny.mutate()}>
      {text.apps.deny}
    </Button>
  )
  if (workspaces.length === 0)
    return (
      <>
        <p>{text.apps.onlyAdmins}</p>
        {denial}
      </>
    )
  return (
    <>
      <PageForm form={form} action={text.apps.allow} isWide button={{ look: 'primary' }}>
        <SelectField
          label={text.apps.workspace}
          options={workspaces.map((each) => ({ value: each.id, label: each.name }))}
          {...form.field('workspaceId')}
        />
        <ScopeFields before={asked} limit={asked} {...form.field('access', 'scopes')} />
      </PageForm>
      {denial}
    </>
  )
}

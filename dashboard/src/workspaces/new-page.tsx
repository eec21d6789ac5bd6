import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../api/client.ts'
import { workspacesQuery } from '../api/session.ts'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { Logo } from '../kit/logo.tsx'
import { useTabTitle } from '../kit/tab-title.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/shell.ts'

export function NewWorkspacePage() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    start: () => ({ name: '' }),
    save: ({ name }) => dataOf(api.POST('/workspaces', { body: { name, activate: true } })),
    onSaved: async ({ id }) => {
      await queryClient.invalidateQueries({ ...workspacesQuery, refetchType: 'all' })
      await navigate({ to: '/$workspaceId', params: { workspaceId: id } })
    },
  })
  useTabTitle(text.workspaces.newTitle)
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 px-5 py-10">
      <Logo size={28} />
      <h1 className="text-xl font-bold">{text.workspaces.newTitle}</h1>
      <p className="text-soft">{text.workspaces.newExplain}</p>
      <PageForm form={form} action={text.workspaces.create} isWide button={{ look: 'primary' }}>
        <TextField
          label={text.workspaces.name}
          name="workspace"
          autoComplete="organization"
          required
          autoFocus
          {...form.field('name')}
        />
      </PageForm>
    </main>
  )
}

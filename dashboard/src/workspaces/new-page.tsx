import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { workspacesQuery } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { Logo } from '../kit/logo.tsx'
import { text } from '../text/en.ts'
import { useTabTitle } from '../kit/tab-title.ts'

export function NewWorkspacePage() {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => dataOf(api.POST('/workspaces', { body: { name, activate: true } })),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ ...workspacesQuery, refetchType: 'all' })
      await navigate({ to: '/$workspaceId', params: { workspaceId: id } })
    },
  })
  useTabTitle(text.workspaces.newTitle)
  const error = create.error instanceof ApiError ? create.error.fieldErrors.name : undefined
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 px-5 py-10">
      <Logo size={28} />
      <h1 className="text-xl font-bold">{text.workspaces.newTitle}</h1>
      <p className="text-soft">{text.workspaces.newExplain}</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <TextField
          label={text.workspaces.name}
          name="workspace"
          autoComplete="organization"
          required
          autoFocus
          value={name}
          onValue={setName}
          error={error}
        />
        {!error && <ErrorNote error={create.error} />}
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {text.workspaces.create}
        </Button>
      </form>
    </main>
  )
}

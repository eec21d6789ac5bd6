import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { hostnameOf } from './hostname-of.ts'
import { isRefusedByPlan, LimitNote, PlanNote } from './plan-note.tsx'
import type { Domain } from './queries.ts'
import { RecordsToCome } from './records-to-come.tsx'

/** Claims a host. The records that it will need follow what is typed. */
export function AddDrawer({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (domain: Domain) => void
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const add = useMutation({
    mutationFn: () => dataOf(api.POST('/domains', { body: { hostname: typed.trim() } })),
    onSuccess: async (domain) => {
      showToast(text.domains.added(domain.hostname))
      onAdded(domain)
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'domains'] })
    },
  })
  const { error } = add
  const atField = error instanceof ApiError ? error.fieldErrors.hostname : undefined
  return (
    <Drawer
      title={text.domains.add}
      isChanged={typed !== ''}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="domain-form" isBusy={add.isPending}>
          {text.domains.add}
        </Button>
      }
    >
      <form
        id="domain-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        {isRefusedByPlan(error) ? <PlanNote message={error.message} /> : <LimitNote />}
        {!isRefusedByPlan(error) && atField === undefined && <ErrorNote error={error} />}
        <TextField
          label={text.domains.hostname}
          hint={text.domains.hostnameHint}
          name="hostname"
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          maxLength={2_048}
          placeholder={text.domains.exampleHost}
          className="font-mono"
          value={typed}
          onValue={setTyped}
          error={atField}
        />
        <RecordsToCome hostname={hostnameOf(typed)} />
      </form>
    </Drawer>
  )
}

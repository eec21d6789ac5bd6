import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { draftOf, isChanged, mergeDrafts, toBody, type Draft } from './draft.ts'
import { presentOf } from './page-conflict.tsx'
import { bioPageQuery, savePage, type BioPage, type ReadPage } from './queries.ts'

/** The draft of a page. A save binds to the version that it began from. */
export function usePageDraft(first: ReadPage) {
  const queryClient = useQueryClient()
  const [read, setRead] = useState(first)
  const before = draftOf(read.page)
  const [draft, setDraft] = useState(before)
  const { workspaceId, id } = read.page
  const goOnFrom = (now: ReadPage, next: Draft) => {
    setRead(now)
    setDraft(next)
    queryClient.setQueryData(bioPageQuery(workspaceId, id).queryKey, now)
  }
  const save = useMutation({
    mutationFn: (change: { status?: BioPage['status'] }) =>
      savePage(read, { ...toBody(draft), ...change }),
    onSuccess: (saved) => {
      goOnFrom(saved, draftOf(saved.page))
      const { status } = saved.page
      if (status !== read.page.status)
        showToast(status === 'published' ? text.bioPages.published : text.bioPages.withdrawn)
      return queryClient.invalidateQueries({ queryKey: [workspaceId, 'bio-pages'] })
    },
  })
  const present = presentOf(save.error)
  return {
    page: read.page,
    before,
    draft,
    isChanged: isChanged(before, draft),
    change: (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })),
    save,
    present,
    /** Goes on from the present page, with the fields that the user has changed or with those of the other. */
    resolve: (keepsMine: boolean) => {
      if (!present) return
      goOnFrom(present, mergeDrafts(before, draft, draftOf(present.page), keepsMine))
      save.reset()
    },
  }
}

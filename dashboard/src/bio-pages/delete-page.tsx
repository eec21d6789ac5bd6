import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { CheckField } from '../kit/field.tsx'
import { text } from '../text/bio-pages.ts'
import type { BioPage } from './queries.ts'

/** Deletes a page, on request with the links that it has created. */
export function DeletePage({ page: { id, workspaceId, title, blocks } }: { page: BioPage }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [withLinks, setWithLinks] = useState(false)
  const ownLinks = new Set(blocks.flatMap(({ ownsLink, linkId }) => (ownsLink ? [linkId] : [])))
  return (
    <>
      <Button icon="trash-2" onClick={() => setOpen(true)}>
        {text.bioPages.delete}
      </Button>
      {isOpen && (
        <Confirm
          title={text.bioPages.deleteTitle(title)}
          action={text.bioPages.deleteNow}
          told={text.bioPages.deleted(title)}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            const query = { links: withLinks ? 'delete' : 'keep' } as const
            await ask(api.DELETE('/bio-pages/{id}', { params: { path: { id }, query } }))
            // The question is answered already, also for changes that are not saved.
            const to = { to: '/$workspaceId/bio-pages', params: { workspaceId } } as const
            await navigate({ ...to, ignoreBlocker: true })
          }}
        >
          {text.bioPages.deleteExplain}
          {ownLinks.size > 0 && (
            <CheckField
              label={text.bioPages.deleteLinks(ownLinks.size)}
              hint={text.bioPages.deleteLinksHint}
              value={withLinks}
              onValue={setWithLinks}
            />
          )}
        </Confirm>
      )}
    </>
  )
}

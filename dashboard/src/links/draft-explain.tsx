import { api, dataOf } from '../api/client.ts'
import { nameFor } from '../kit/url.ts'
import { EMPTY_DRAFT, toBody, type LinkDraft } from './draft.ts'
import { ExplainDrawer } from './explain-drawer.tsx'

/** The answer to a visit as the draft would give it, before anything is saved. */
export function DraftExplain({ draft, onClose }: { draft: LinkDraft; onClose: () => void }) {
  return (
    <ExplainDrawer
      about={['draft', draft]}
      hasPassword={draft.password !== ''}
      ask={(visit) => {
        const { password: _password, ...body } = toBody(draft, EMPTY_DRAFT)
        const destinationUrl = draft.destinationUrl.trim()
        const name = draft.name.trim() || nameFor(destinationUrl)
        return dataOf(
          api.POST('/links/explain', { body: { ...body, name, destinationUrl, visit } }),
        )
      }}
      onClose={onClose}
    />
  )
}

import { api, dataOf } from '../api/client.ts'
import { text } from '../text/link-page.ts'
import { ExplainDrawer } from './explain-drawer.tsx'
import type { Link } from './queries.ts'

/** The answer to a visit as the link gives it now. */
export function LinkExplain({ link, onClose }: { link: Link; onClose: () => void }) {
  const nameOf = (step: string) => {
    const index = link.rules.findIndex(({ id }) => step === `rule:${id}`)
    return index < 0 ? undefined : text.links.rule(index + 1)
  }
  return (
    <ExplainDrawer
      about={['link', link.id, link.updatedAt]}
      hasPassword={link.password !== null}
      nameOf={nameOf}
      ask={(visit, signal) =>
        dataOf(
          api.GET('/links/{id}/explain', {
            params: { path: { id: link.id }, query: visit },
            signal,
          }),
        )
      }
      onClose={onClose}
    />
  )
}

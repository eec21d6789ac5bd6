import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { previewQuery } from './queries.ts'
import { useSettled } from '../kit/use-settled.ts'

const TYPING_MS = 600

/**
 * Facts that the page at a typed destination gives about itself, in a card of fixed height, which stays when the page
 * cannot be read, so that the fields below keep their places. The destination that a link already has is not asked for.
 */
export function DestinationPreview({ form: { draft, before, change } }: FormProps) {
  const { id } = useWorkspace()
  const typed = draft.destinationUrl.trim()
  const url = useSettled(
    typed !== before.destinationUrl && isAddress(typed) ? typed : '',
    TYPING_MS,
  )
  const { data: page, isLoading } = useQuery(previewQuery(id, url))
  if (url === '') return null
  const isUnread = !isLoading && (!page || page.finalUrl === null)
  const imageHost = page?.image ? hostOf(page.image) : null
  return (
    <section
      aria-label={text.linkOptions.preview}
      aria-busy={isLoading}
      className="flex h-24 items-center gap-3 overflow-hidden rounded border border-line bg-card px-3 text-sm"
    >
      {isUnread && <p className="text-soft">{text.linkOptions.noPreview}</p>}
      {page && !isUnread && (
        <>
          <div className="min-w-0 flex-1">
            <p className="truncate font-semibold">{page.title}</p>
            <p className="line-clamp-2 break-words text-soft">{page.description}</p>
            {imageHost && (
              <p className="truncate text-xs text-soft">{text.linkOptions.imageAt(imageHost)}</p>
            )}
          </div>
          {url === typed && draft.name !== page.title && (
            <Button className="shrink-0" onClick={() => change({ name: page.title })}>
              {text.linkOptions.takeTitle}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

/** Whether the server would fetch it: the address of a page, without a name and password. */
function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}

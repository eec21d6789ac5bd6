import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Card, Skeleton } from '../kit/layout.tsx'
import { useSettled } from '../kit/use-settled.ts'
import { text } from '../text/bio-pages.ts'
import { toBody, type Draft } from './draft.ts'
import { toElements } from './preview-tree.ts'
import { previewQuery, type BioPage } from './queries.ts'

const SETTLED_MS = 400
/** Styles of the dashboard that a page would inherit. */
const OWN_STYLES = ':host{all:initial;display:block;height:100%}'

type Props = { page: BioPage; draft: Draft }

/** The page as a phone shows it, with the changes that are not saved yet; beside the fields where there is room. */
export function PreviewCard(props: Props) {
  return (
    <Card
      title={text.bioPages.preview}
      note={text.bioPages.previewNote}
      className="max-xl:hidden xl:sticky xl:top-4"
    >
      <div className="p-4 pt-3">
        <Preview {...props} />
      </div>
    </Card>
  )
}

/** Shows the preview where there is no room beside the fields. */
export function PreviewButton(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="smartphone" className="xl:hidden" onClick={() => setOpen(true)}>
        {text.bioPages.preview}
      </Button>
      {isOpen && (
        <Drawer title={text.bioPages.preview} onClose={() => setOpen(false)}>
          <Preview {...props} />
        </Drawer>
      )}
    </>
  )
}

function Preview({ page, draft }: Props) {
  const body = useSettled(toBody(draft), SETTLED_MS)
  const preview = useQuery(previewQuery(page.workspaceId, page.id, body))
  const isIncomplete = preview.error instanceof ApiError && preview.error.status === 400
  const drawn = useLastDrawn(preview.data)
  return (
    <div className="flex flex-col gap-2">
      {isIncomplete ? (
        <p role="status" className="text-sm text-soft">
          {text.bioPages.previewHeld}
        </p>
      ) : (
        <ErrorNote error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.isPending && !drawn && <Skeleton rows={6} height={56} />}
      {drawn && <Drawing preview={drawn} />}
    </div>
  )
}

/** A refused body has no drawing of its own. */
function useLastDrawn(preview: Schemas['BioPagePreview'] | undefined) {
  const [last, setLast] = useState(preview)
  if (preview && preview !== last) setLast(preview)
  return preview ?? last
}

/**
 * A page below a shadow root, so that its style sheet and that of the dashboard do not meet. The fields beside it have
 * its content, so that programs that read aloud pass over it, and its links do nothing.
 */
function Drawing({ preview: { style, nodes } }: { preview: Schemas['BioPagePreview'] }) {
  const [root, setRoot] = useState<ShadowRoot | null>(null)
  const host = useCallback((element: HTMLDivElement | null) => {
    if (element) setRoot(element.shadowRoot ?? element.attachShadow({ mode: 'open' }))
  }, [])
  useEffect(() => {
    if (root) adoptStyle(root, OWN_STYLES + style)
  }, [root, style])
  return (
    <div
      role="region"
      aria-label={text.bioPages.preview}
      tabIndex={0}
      className="h-[667px] w-full max-w-[377px] overflow-y-auto rounded border border-line xl:w-[377px]"
    >
      <div ref={host} inert aria-hidden="true" data-preview="">
        {root && createPortal(toElements(nodes), root)}
      </div>
    </div>
  )
}

function adoptStyle(root: ShadowRoot, style: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
}

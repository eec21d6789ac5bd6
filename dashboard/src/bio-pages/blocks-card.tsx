import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { moved } from '../kit/lists.ts'
import { text } from '../text/bio-pages.ts'
import { BlockFields } from './block-fields.tsx'
import { newBlock, type BlockDraft } from './draft.ts'
import type { CardProps } from './page-cards.tsx'

const TYPES = ['link', 'header', 'text', 'image', 'social', 'embed'] as const
const MAX_BLOCKS = 200

/** The blocks in their order, which dragging and the buttons of each change. */
export function BlocksCard({ form }: CardProps) {
  const { change } = form
  const { blocks } = form.draft
  const [dragged, setDragged] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    if (to < 0 || to >= blocks.length || from === to) return
    change({ blocks: moved(blocks, from, to) })
    setSaid(text.bioPages.movedTo(to + 1, blocks.length))
  }
  return (
    <Card title={text.bioPages.blocks} note={text.bioPages.blockCount(blocks.length)}>
      <p role="status" className="sr-only">
        {said}
      </p>
      {blocks.length === 0 && (
        <p className="px-4 pt-2 text-sm text-soft">{text.bioPages.noBlocks}</p>
      )}
      <ol aria-label={text.bioPages.blocks} className="flex flex-col gap-3 px-4 pt-3 empty:hidden">
        {blocks.map((block, at) => (
          <li key={block.key}>
            <div
              className={`rounded border bg-paper p-3 ${dragged === at ? 'border-way opacity-60' : 'border-line'}`}
              onDragOver={(event) => {
                if (dragged !== null) event.preventDefault()
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== null) move(dragged, at)
                setDragged(null)
              }}
            >
              <BlockHead
                block={block}
                at={at}
                isLast={at === blocks.length - 1}
                onMove={(to) => move(at, to)}
                onDrag={setDragged}
                onRemove={() => change({ blocks: blocks.filter((_, each) => each !== at) })}
              />
              <BlockFields
                block={block}
                path={`blocks.${at}`}
                errorAt={form.errorAt}
                onChange={(part) =>
                  change({
                    blocks: blocks.map((each, i) => (i === at ? { ...each, ...part } : each)),
                  })
                }
              />
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 px-4 py-3" role="group" aria-label={text.bioPages.add}>
        {TYPES.map((type) => (
          <Button
            key={type}
            icon="plus"
            disabled={blocks.length >= MAX_BLOCKS}
            onClick={() => change({ blocks: [...blocks, newBlock(type)] })}
          >
            {text.bioPages.types[type]}
          </Button>
        ))}
      </div>
    </Card>
  )
}

type HeadProps = {
  block: BlockDraft
  at: number
  isLast: boolean
  onMove: (to: number) => void
  onDrag: (at: number | null) => void
  onRemove: () => void
}

/** A handle to drag, and buttons that do the same by the keyboard, which keep the focus at both ends of the list. */
function BlockHead({ block, at, isLast, onMove, onDrag, onRemove }: HeadProps) {
  const name = block.title || text.bioPages.types[block.type]
  return (
    <div className="flex items-center gap-1 pb-2">
      <span
        draggable
        className="cursor-grab p-2 text-soft"
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', name)
          onDrag(at)
        }}
        onDragEnd={() => onDrag(null)}
      >
        <Icon name="grip-vertical" />
      </span>
      <b className="min-w-0 flex-1 truncate text-sm font-semibold">
        {text.bioPages.types[block.type]}
      </b>
      <IconButton
        icon="arrow-up"
        label={text.bioPages.up(name)}
        aria-disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        icon="arrow-down"
        label={text.bioPages.down(name)}
        aria-disabled={isLast}
        onClick={() => onMove(at + 1)}
      />
      <IconButton icon="trash-2" label={text.bioPages.remove(name)} onClick={onRemove} />
    </div>
  )
}

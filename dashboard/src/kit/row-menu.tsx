import type { QueryKey } from '@tanstack/react-query'
import { Fragment, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { Confirm } from './confirm.tsx'
import type { IconName } from './icon.tsx'
import { Menu, MenuAt, MenuItem, MenuLine } from './menu.tsx'
import { useAction } from './use-action.ts'

type Change = {
  run: () => Promise<unknown>
  /** The message of a success. */
  told?: string
  undo?: () => Promise<unknown>
}

export type RowAction = { icon: IconName; label: string; isDanger?: boolean } & (
  | { onSelect: () => void }
  | (Change & {
      /** Asked before the change, since it cannot be undone. */
      question?: { title: string; explain: ReactNode }
    })
)

type Actions = {
  /** An action that this user may not take, or that makes no sense now, is false. */
  actions: readonly (RowAction | false)[]
  /** What a change makes stale; everything of the workspace when absent. */
  refreshes?: readonly QueryKey[]
}

/** The actions on a row: each opens something, or makes a change, at once or after a question. */
export function RowMenu({ label, ...given }: Actions & { label: string }) {
  const { items, question } = useRowActions(given)
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={label} />}>{items}</Menu>
      {question}
    </>
  )
}

/** The same for a list whose rows share one menu: opens at the button of a row when it is first rendered. */
export function RowMenuAt({ anchor, ...given }: Actions & { anchor: HTMLElement }) {
  const [isOpen, setOpen] = useState(true)
  const { items, question } = useRowActions(given)
  return (
    <>
      {isOpen && (
        <MenuAt anchor={anchor} onClose={() => setOpen(false)}>
          {items}
        </MenuAt>
      )}
      {question}
    </>
  )
}

function useRowActions({ actions, refreshes }: Actions) {
  const [asked, setAsked] = useState<string | null>(null)
  const act = useAction(({ run }: Change) => run(), {
    told: (_, { told }) => told,
    undo: (_, { undo }) => undo,
    ...(refreshes && { refreshes }),
  })
  const shown = actions.filter((action) => action !== false)
  const choose = (action: RowAction) => {
    if ('onSelect' in action) action.onSelect()
    else if (action.question) setAsked(action.label)
    else act.mutate(action)
  }
  const open = shown.find((action) => action.label === asked)
  const items = shown.map((action, place) => (
    <Fragment key={action.label}>
      {action.isDanger && place > 0 && <MenuLine />}
      <MenuItem
        icon={action.icon}
        isDanger={action.isDanger ?? false}
        onSelect={() => choose(action)}
      >
        {action.label}
      </MenuItem>
    </Fragment>
  ))
  const question = open && 'run' in open && open.question && (
    <Confirm
      title={open.question.title}
      action={open.label}
      told={open.told}
      {...(refreshes && { refreshes })}
      onConfirm={open.run}
      onClose={() => setAsked(null)}
    >
      {open.question.explain}
    </Confirm>
  )
  return { items, question }
}

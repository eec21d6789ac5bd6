import { useNavigate, useSearch } from '@tanstack/react-router'
import { ask, auth, dataOf } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { Button } from '../kit/button.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { FilterSelect } from '../kit/filter-select.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { SearchField } from '../kit/search-field.tsx'
import { ExactTime } from '../kit/time.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/server.ts'
import { blocksQuery, REFRESHES, type Block } from './queries.ts'
import type { BlocksSearch } from './search.ts'

/** Hosts, links, workspaces and images that the operator blocks. */
export function BlocksPage() {
  const search = useSearch({ from: '/signed-in/server/blocks' })
  const navigate = useNavigate({ from: '/server/blocks' })
  const blocks = usePages(blocksQuery(search.new ? {} : search))
  const change = (part: BlocksSearch) => void navigate({ search: (now) => ({ ...now, ...part }) })
  const words = text.server.blocks
  const isFiltered = search.q !== undefined || search.kind !== undefined
  const add = (
    <Button look="primary" icon="plus" onClick={() => change({ new: true })}>
      {words.new_}
    </Button>
  )
  return (
    <>
      <PageHead title={text.server.pages.blocks} note={words.note}>
        {add}
      </PageHead>
      <SearchField label={words.search} value={search.q} onValue={(q) => change({ q })}>
        <FilterSelect
          label={words.kind}
          any={words.anyKind}
          value={search.new ? undefined : search.kind}
          options={optionsOf(words.kinds)}
          onValue={(kind) => change({ kind })}
        />
      </SearchField>
      <PagedList
        label={text.server.pages.blocks}
        pages={blocks}
        empty={
          <Empty icon="ban" title={isFiltered ? text.server.noneFound : words.none}>
            {isFiltered ? text.server.noneFoundHint : words.noneExplain}
          </Empty>
        }
      >
        {(block) => <BlockRow key={block.id} block={block} />}
      </PagedList>
      {search.new && (
        <BlockDrawer
          start={search}
          onClose={() => change({ new: undefined, kind: undefined, value: undefined })}
        />
      )}
    </>
  )
}

function BlockRow({ block }: { block: Block }) {
  const { id, kind, value, reason, links, state, createdAt } = block
  const words = text.server.blocks
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 ps-4 pe-2 text-sm first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="text-base">
          <span className="text-soft">{words.kinds[kind]}</span>{' '}
          <b className="font-mono font-semibold break-all">{value}</b>
        </p>
        <p className="text-soft">
          {words.states[state]} · {words.links(links)} · <ExactTime at={createdAt} />
        </p>
        {reason !== null && <p className="break-words">{reason}</p>}
      </div>
      {state !== 'being lifted' && (
        <RowMenu
          label={words.actionsOf(value)}
          refreshes={REFRESHES}
          actions={[
            {
              icon: 'lock-open',
              label: words.lift,
              run: () => ask(auth.DELETE('/operator/blocks/{id}', { params: { path: { id } } })),
              told: words.lifted,
              question: { title: words.liftTitle(value), explain: words.liftExplain },
            },
          ]}
        />
      )}
    </li>
  )
}

function BlockDrawer({ start, onClose }: { start: BlocksSearch; onClose: () => void }) {
  const words = text.server.blocks
  const form = useForm({
    start: () => ({ kind: start.kind ?? 'host', value: start.value ?? '', reason: '' }),
    save: ({ kind, value, reason }) => {
      const body = { kind, value: value.trim(), ...(reason.trim() && { reason: reason.trim() }) }
      return dataOf(auth.POST('/operator/blocks', { body }))
    },
    refreshes: REFRESHES,
    told: ({ value }) => words.blocked(value),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={words.new_}
      action={words.block}
      button={{ look: 'danger' }}
      onClose={onClose}
    >
      <SelectField label={words.kind} options={optionsOf(words.kinds)} {...form.field('kind')} />
      <TextField
        label={words.value}
        hint={words.hints[form.draft.kind]}
        required
        autoFocus
        spellCheck={false}
        autoComplete="off"
        maxLength={2048}
        {...form.field('value')}
      />
      <TextField
        label={text.server.reason}
        hint={text.server.reasonHint}
        maxLength={500}
        {...form.field('reason')}
      />
    </FormDrawer>
  )
}

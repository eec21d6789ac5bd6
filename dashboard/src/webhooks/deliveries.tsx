import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { useKeys } from '../kit/use-keys.ts'
import { text } from '../text/webhooks.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { DeliveryTabs } from './delivery-tabs.tsx'
import { deliveriesQuery, type Delivery, type Endpoint } from './queries.ts'
import { RetryManyButton } from './retry-many.tsx'
import { isFiltered, type ChangeSearch, type DeliverySearch } from './search.ts'

type Props = {
  search: DeliverySearch
  endpoints: readonly Endpoint[]
  onChange: ChangeSearch
}

/** The deliveries at the left, the chosen one with its attempts at the right; on a phone in their place. */
export function Deliveries({ search, endpoints, onChange }: Props) {
  return (
    <section aria-label={text.deliveries.title}>
      <div
        className={`flex flex-wrap items-center gap-2 pb-3 ${search.delivery ? 'max-lg:hidden' : ''}`}
      >
        <h2 className="text-lg font-bold">{text.deliveries.title}</h2>
        <span className="ms-auto" />
        <RetryManyButton search={search} onOpen={() => onChange({ open: 'retry' })} />
      </div>
      <div className={search.delivery ? 'max-lg:hidden' : ''}>
        <DeliveryFilters search={search} endpoints={endpoints} onChange={onChange} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] rounded border border-line bg-card lg:grid-cols-[minmax(280px,2fr)_minmax(0,3fr)]">
        <div
          className={`border-b border-line lg:col-span-2 ${search.delivery ? 'max-lg:hidden' : ''}`}
        >
          <DeliveryTabs search={search} onStatus={(status) => onChange({ status })} />
        </div>
        <div className={search.delivery ? 'max-lg:hidden' : ''}>
          <DeliveryList search={search} endpoints={endpoints} onChange={onChange} />
        </div>
        <div className="min-w-0 self-start border-line p-4 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:border-s">
          {search.delivery ? (
            <DeliveryDetail
              key={search.delivery}
              deliveryId={search.delivery}
              endpoints={endpoints}
              onChange={onChange}
            />
          ) : (
            <p className="text-sm text-soft max-lg:hidden">
              {text.deliveries.choose} {text.deliveries.chooseKeys}
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

/** The rows, newest first; older ones on demand. */
function DeliveryList({ search, endpoints, onChange }: Props) {
  const { id } = useWorkspace()
  const pages = usePages(deliveriesQuery(id, search))
  const { rows, total = 0 } = pages
  useRowKeys(rows, search, onChange)
  return (
    <PagedList
      isInCard
      label={text.deliveries.title}
      className=""
      pages={pages}
      waiting={{ rows: 6, height: 52 }}
      empty={
        <p className="p-4 text-sm text-soft">
          {isFiltered(search) ? text.deliveries.noneMatch : text.deliveries.none}
        </p>
      }
      more={text.deliveries.older}
      note={text.deliveries.shown(rows.length, total)}
    >
      {(row) => (
        <DeliveryRow
          key={row.id}
          delivery={row}
          endpointUrl={
            search.endpointId
              ? undefined
              : endpoints.find(({ id: each }) => each === row.endpointId)?.url
          }
          isChosen={row.id === search.delivery}
          onChoose={() => onChange({ delivery: row.id })}
        />
      )}
    </PagedList>
  )
}

/** J and K open the next and the previous delivery, Esc closes it. */
function useRowKeys(
  rows: readonly Delivery[],
  { delivery }: DeliverySearch,
  onChange: ChangeSearch,
) {
  const at = rows.findIndex(({ id }) => id === delivery)
  const move = (step: number) => () => {
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
    if (!next) return
    onChange({ delivery: next.id }, true)
    document.querySelector(`[data-delivery="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useKeys({
    j: move(1),
    k: move(-1),
    Escape: delivery !== undefined && (() => onChange({ delivery: undefined })),
  })
}

import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useState, type ComponentProps } from 'react'
import { allDomainsQuery } from '../api/domains.ts'
import { providersQuery } from '../api/providers.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Arm } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { text } from '../text/links.ts'
import { useGroups } from './queries.ts'
import { isFiltered, type LinksSearch } from './search.ts'

const TYPING_MS = 300
type Props = {
  search: LinksSearch
  /** The rows have arrived: what can be filtered by, which is counted, does not delay them. */
  isListed: boolean
  onChange: (part: Partial<LinksSearch>, replace?: boolean) => void
}

/**
 * Filters and order of the list; the arms below name each filter and remove it. The component has hundreds of
 * options, and is not rendered again when other rows come into view.
 */
export const Filters = memo(function Filters({ search, isListed, onChange }: Props) {
  const { id } = useWorkspace()
  const groups = useGroups(id, isListed)
  const domains = useQuery({ ...allDomainsQuery(id), enabled: isListed }).data
  const sharedHost = useQuery(providersQuery).data?.meta.shortDomain
  const names = {
    ...groups,
    domains: domains?.map((domain) => ({ id: domain.id, name: domain.hostname })),
    sharedHost,
  }
  const { statuses, anyStatus, status } = text.links
  // On phones the choices would push the list off the screen.
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <SearchField key={search.q ?? ''} q={search.q ?? ''} onChange={onChange} />
        <IconButton
          icon="filter"
          label={text.links.filters}
          className="border border-edge bg-card md:hidden"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <div className={`contents ${isOpen ? '' : 'max-md:hidden'}`}>
          <FilterSelect
            label={text.links.sort}
            value={search.sort ?? 'createdAt'}
            options={optionsOf(text.links.sorts)}
            onValue={(sort) => onChange({ sort: sort === 'createdAt' ? undefined : sort })}
          />
          <FilterSelect
            label={status}
            any={anyStatus}
            value={search.status}
            options={optionsOf(statuses)}
            onValue={(value) => onChange({ status: value })}
          />
          <GroupPickers search={search} onChange={onChange} names={names} />
          <label className="flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-lake"
              checked={search.archived ?? false}
              onChange={(event) => onChange({ archived: event.target.checked || undefined })}
            />
            {text.linkList.showArchived}
          </label>
        </div>
      </div>
      <Arms search={search} onChange={onChange} names={names} />
    </>
  )
})

/** The choices of what links are in or on; one without a row is left out. */
function GroupPickers({
  search,
  onChange,
  names,
}: Pick<Props, 'search' | 'onChange'> & { names: Names }) {
  return (
    <>
      <GroupFilter
        label={text.links.tagFilterLabel}
        any={text.linkList.anyTag}
        value={search.tag}
        options={(names.tags ?? []).map(({ name, links }) => ({
          value: name,
          label: text.linkList.withCount(name, links),
        }))}
        onValue={(tag) => onChange({ tag })}
      />
      <GroupFilter
        label={text.links.folder}
        any={text.linkList.anyFolder}
        value={search.folderId}
        options={(names.folders ?? []).map((folder) => ({
          value: folder.id,
          label: text.linkList.withCount(folder.name, folder.links),
        }))}
        onValue={(folderId) => onChange({ folderId })}
      />
      <GroupFilter
        label={text.links.campaign}
        any={text.linkList.anyCampaign}
        value={search.campaignId}
        options={(names.campaigns ?? []).map(toOption)}
        onValue={(campaignId) => onChange({ campaignId })}
      />
      <GroupFilter
        label={text.links.domain}
        any={text.linkList.anyDomain}
        value={search.domainId ?? search.domain}
        options={toHostOptions(names)}
        onValue={(value) =>
          onChange(
            value !== undefined && value === names.sharedHost
              ? { domain: value, domainId: undefined }
              : { domain: undefined, domainId: value },
          )
        }
      />
    </>
  )
}

function GroupFilter(props: ComponentProps<typeof FilterSelect<string>>) {
  return props.options.length > 0 || props.value !== undefined ? <FilterSelect {...props} /> : null
}

/** Searches once the user stops typing. */
function SearchField({ q, onChange }: { q: string; onChange: Props['onChange'] }) {
  const [typed, setTyped] = useState(q)
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => onChange({ q: typed.trim() || undefined }, true), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, q, onChange])
  return (
    <form
      role="search"
      className="min-w-52 flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ q: typed.trim() || undefined })
      }}
    >
      <input
        type="search"
        className={INPUT}
        aria-label={text.links.search}
        placeholder={text.links.searchHint}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  )
}

type Named = { id: string; name: string }
type Counted = { name: string; links: number }
/** Groups and domains of the workspace; undefined until they are read. */
type Names = {
  tags: readonly Counted[] | undefined
  folders: readonly (Named & Counted)[] | undefined
  campaigns: readonly Named[] | undefined
  domains: readonly Named[] | undefined
  sharedHost: string | undefined
}

/** The shared host is a choice beside domains alone. */
function toHostOptions({ domains, sharedHost }: Names) {
  if (!domains || domains.length === 0 || !sharedHost) return []
  return [{ value: sharedHost, label: sharedHost }, ...domains.map(toOption)]
}

const toOption = ({ id, name }: Named) => ({ value: id, label: name })

function Arms({ search, onChange, names }: Pick<Props, 'search' | 'onChange'> & { names: Names }) {
  const nameOf = (rows: readonly Named[] | undefined, id: string) =>
    rows?.find((row) => row.id === id)?.name ?? id
  const { q, tag, folderId, campaignId, domainId, domain, status } = search
  const arms: { key: keyof LinksSearch; label: string; value: string }[] = []
  if (q) arms.push({ key: 'q', label: text.linkList.contains, value: q })
  if (status)
    arms.push({ key: 'status', label: text.links.status, value: text.links.statuses[status] })
  if (tag) arms.push({ key: 'tag', label: text.links.tagFilterLabel, value: tag })
  if (folderId)
    arms.push({
      key: 'folderId',
      label: text.links.folder,
      value: nameOf(names.folders, folderId),
    })
  if (campaignId)
    arms.push({
      key: 'campaignId',
      label: text.links.campaign,
      value: nameOf(names.campaigns, campaignId),
    })
  if (domainId)
    arms.push({
      key: 'domainId',
      label: text.links.domain,
      value: nameOf(names.domains, domainId),
    })
  if (domain) arms.push({ key: 'domain', label: text.links.domain, value: domain })
  if (arms.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      {arms.map(({ key, label, value }) => (
        <Arm key={key}>
          <span className="max-w-60 truncate">
            {label}: <b className="font-semibold">{value}</b>
          </span>
          <IconButton
            icon="x"
            label={text.actions.removeFilter(label)}
            className="size-7! max-md:size-11!"
            onClick={() => onChange({ [key]: undefined })}
          />
        </Arm>
      ))}
      {isFiltered(search) && (
        <Button
          look="quiet"
          onClick={() =>
            onChange({
              q: undefined,
              tag: undefined,
              folderId: undefined,
              campaignId: undefined,
              domainId: undefined,
              domain: undefined,
              status: undefined,
              archived: undefined,
            })
          }
        >
          {text.linkList.clearFilters}
        </Button>
      )}
    </div>
  )
}

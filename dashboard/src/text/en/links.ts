import type { Tools } from '../load.ts'

/** Texts of the list of links, of folders and of tags. */
export const messages = ({ plural, formatNumber }: Tools) => ({
  linkList: {
    contains: 'Contains',
    moreThan: (count: number) => `more than ${formatNumber(count)} links`,
    anyTag: 'Any tag',
    anyFolder: 'Any folder',
    anyCampaign: 'Any campaign',
    anyDomain: 'Any domain',
    withCount: (name: string, count: number) => `${name} (${formatNumber(count)})`,
    showArchived: 'Include archived',
    clearFilters: 'Clear filters',
    export: 'Export CSV',
    import: 'Import',
    organize: 'Folders and tags',
    more: 'More actions',
    columns: {
      name: 'Link',
      status: 'Status',
      tags: 'Tags',
      periodClicks: '30 days',
      clicks: 'All time',
      conversions: 'Conversions',
      lastClickedAt: 'Last click',
      createdAt: 'Created',
    },
    columnNames: {
      status: 'Status',
      tags: 'Tags',
      periodClicks: 'Clicks, 30 days',
      clicks: 'Clicks, all time',
      conversions: 'Conversions',
      lastClickedAt: 'Last click',
      createdAt: 'Created',
    },
    deleteTitle: (count: number) => `Delete ${plural(count, { one: '# link', other: '# links' })}?`,
    deleteExplain:
      'Visitors will see "Not found", and QR codes stop working. You can undo this for an hour.',
    chooseColumns: 'Columns',
    menuOf: (slug: string) => `Actions for ${slug}`,
    openStatistics: 'Statistics',
    showQr: 'QR code',
    copyLink: 'Copy short link',
    badges: {
      password: 'Password',
      starts: (time: string) => `starts ${time}`,
      expires: (time: string) => `expires ${time}`,
      maxClicks: (count: string) => `limit of ${count} clicks`,
      rules: (count: number) => plural(count, { one: '# rule', other: '# rules' }),
      variants: (count: number) =>
        `A/B test with ${plural(count, { one: '# variant', other: '# variants' })}`,
    },
    conversionsOf: (count: number, days: number) =>
      `${plural(count, { one: '# conversion', other: '# conversions' })} in ${days} days`,
    sortBy: (column: string) => `Sort by ${column}`,
    select: (slug: string) => `Select ${slug}`,
    selected: (count: number) => `${formatNumber(count)} selected`,
    allMatching: (count: string) => `Select all ${count}`,
    clearSelection: 'Clear selection',
    qrCodesOf: (count: number) =>
      `QR codes of ${plural(count, { one: '# link', other: '# links' })}`,
    downloadZip: 'Download ZIP',
    format: 'Format',
    archive: 'Archive',
    delete: 'Delete',
    changed: (count: number) => `Changed ${plural(count, { one: '# link', other: '# links' })}.`,
    archived: (count: number) =>
      `Archived ${plural(count, { one: '# link', other: '# links' })}. They still redirect.`,
    deleted: (count: number) => `Deleted ${plural(count, { one: '# link', other: '# links' })}.`,
    failed: (count: number, message: string) =>
      `${plural(count, { one: '# link', other: '# links' })} could not be changed: ${message}`,
  },
  views: {
    title: 'Views',
    none: 'All links',
    save: 'Save this view',
    saved: 'Saved the view.',
    deleted: 'Deleted the view.',
    edit: (name: string) => `Rename or share ${name}`,
    delete: (name: string) => `Delete ${name}`,
    name: 'Name',
    noName: 'Enter a name.',
    share: 'Share with the workspace',
    shareHint: 'All members see it, and members can change it.',
  },
  bulk: {
    title: (count: number) => `Edit ${plural(count, { one: '# link', other: '# links' })}`,
    apply: (count: number) => `Change ${plural(count, { one: '# link', other: '# links' })}`,
    tags: 'Tags',
    tagModes: { change: 'Add or remove tags', replace: 'Replace all tags' },
    addTags: 'Add tags',
    removeTags: 'Remove tags',
    newTags: 'New tags',
    newTagsHint: 'Leave empty to remove all tags.',
    groupModes: { keep: 'No change', set: 'Set', clear: 'Remove' },
    statusModes: {
      keep: 'No change',
      active: 'Active',
      paused: 'Paused',
      archived: 'Archived',
    },
    utmHint: 'Empty fields keep their values.',
    preview: 'Preview',
    nothing: 'Choose what to change. You will see a preview here.',
    changes: (changed: number, count: number) =>
      changed === count
        ? `Changes ${plural(count, { one: '# link', other: '# links' })}`
        : `Changes ${formatNumber(changed)} of ${plural(count, { one: '# link', other: '# links' })}`,
    changesAll: (count: number) =>
      `Changes up to ${plural(count, { one: '# link', other: '# links' })}`,
    more: (count: number) => `and ${formatNumber(count)} more`,
  },
  groups: {
    title: 'Folders and tags',
    kinds: { folders: 'Folders', tags: 'Tags' },
    explain: {
      folders: 'A link can be in one folder.',
      tags: 'A link can have many tags. A tag exists as long as a link has it.',
    },
    search: 'Find by name',
    none: { folders: 'No folders', tags: 'No tags' },
    more: 'Show more',
    newFolder: 'New folder',
    create: 'Create',
    rename: (name: string) => `Rename ${name}`,
    delete: (name: string) => `Delete ${name}`,
    newName: (name: string) => `New name of ${name}`,
    mergeHint: 'Enter the name of another tag to merge the two.',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplain: {
      folders: (count: number) =>
        `Its ${plural(count, { one: '# link', other: '# links' })} stay, outside any folder.`,
      tags: (count: number) =>
        `It is removed from ${plural(count, { one: '# link', other: '# links' })}, which stay.`,
    },
  },
})

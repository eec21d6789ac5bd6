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
      destination: 'Points to',
      tags: 'Tags',
      periodClicks: '30 days',
      conversions: 'Conversions',
      lastClickedAt: 'Last click',
    },
    conversionsOf: (count: number, days: number) =>
      `${plural(count, { one: '# conversion', other: '# conversions' })} in ${days} days`,
    sortBy: (column: string) => `Sort by ${column}`,
    select: (slug: string) => `Select ${slug}`,
    selected: (count: number) => `${formatNumber(count)} selected`,
    allMatching: (count: string) => `Select all ${count}`,
    clearSelection: 'Clear selection',
    tag: 'Tags',
    move: 'Move',
    archive: 'Archive',
    delete: 'Delete',
    tagTitle: (count: number) => `Tags of ${plural(count, { one: '# link', other: '# links' })}`,
    addTags: 'Add',
    removeTags: 'Remove',
    tagMode: 'Action',
    tagModes: {
      change: 'Add and remove tags, keep the others',
      replace: 'Replace all tags',
    },
    newTags: 'New tags',
    newTagsHint: 'Separated by commas. Leave empty to remove all tags.',
    apply: 'Apply',
    moveTitle: (count: number) => `Move ${plural(count, { one: '# link', other: '# links' })}`,
    unchanged: 'No change',
    changed: (count: number) => `Changed ${plural(count, { one: '# link', other: '# links' })}.`,
    archived: (count: number) =>
      `Archived ${plural(count, { one: '# link', other: '# links' })}. They still redirect.`,
    deleted: (count: number) => `Deleted ${plural(count, { one: '# link', other: '# links' })}.`,
    failed: (count: number, message: string) =>
      `${plural(count, { one: '# link', other: '# links' })} could not be changed: ${message}`,
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

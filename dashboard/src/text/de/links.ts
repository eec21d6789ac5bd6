import type { messages as english } from '../en/links.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  linkList: {
    contains: 'Enthält',
    moreThan: (count) => `mehr als ${formatNumber(count)} Links`,
    anyTag: 'Jeder Tag',
    anyFolder: 'Jeder Ordner',
    anyCampaign: 'Jede Kampagne',
    anyDomain: 'Jede Domain',
    withCount: (name, count) => `${name} (${formatNumber(count)})`,
    showArchived: 'Archivierte einschließen',
    clearFilters: 'Filter entfernen',
    export: 'CSV exportieren',
    import: 'Importieren',
    organize: 'Ordner und Tags',
    more: 'Weitere Aktionen',
    columns: {
      name: 'Link',
      destination: 'Ziel',
      tags: 'Tags',
      periodClicks: '30 Tage',
      conversions: 'Conversions',
      lastClickedAt: 'Letzter Klick',
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: '# Conversion', other: '# Conversions' })} in ${days} Tagen`,
    sortBy: (column) => `Nach ${column} sortieren`,
    select: (slug) => `${slug} auswählen`,
    selected: (count) => `${formatNumber(count)} ausgewählt`,
    allMatching: (count) => `Alle ${count} auswählen`,
    clearSelection: 'Auswahl aufheben',
    tag: 'Tags',
    move: 'Verschieben',
    archive: 'Archivieren',
    delete: 'Löschen',
    tagTitle: (count) => plural(count, { one: 'Tags von # Link', other: 'Tags von # Links' }),
    addTags: 'Hinzufügen',
    removeTags: 'Entfernen',
    tagMode: 'Aktion',
    tagModes: {
      change: 'Tags hinzufügen und entfernen, die anderen behalten',
      replace: 'Alle Tags ersetzen',
    },
    newTags: 'Neue Tags',
    newTagsHint: 'Durch Kommas getrennt. Leer lassen, um alle Tags zu entfernen.',
    apply: 'Anwenden',
    moveTitle: (count) =>
      plural(count, { one: '# Link verschieben', other: '# Links verschieben' }),
    unchanged: 'Unverändert',
    changed: (count) => plural(count, { one: '# Link geändert.', other: '# Links geändert.' }),
    archived: (count) =>
      plural(count, {
        one: '# Link archiviert. Er leitet weiter.',
        other: '# Links archiviert. Sie leiten weiter.',
      }),
    deleted: (count) => plural(count, { one: '# Link gelöscht.', other: '# Links gelöscht.' }),
    failed: (count, message) =>
      `${plural(count, { one: '# Link konnte', other: '# Links konnten' })} nicht geändert werden: ${message}`,
  },
  groups: {
    title: 'Ordner und Tags',
    kinds: { folders: 'Ordner', tags: 'Tags' },
    explain: {
      folders: 'Ein Link kann in einem Ordner sein.',
      tags: 'Ein Link kann viele Tags haben. Ein Tag besteht, solange ein Link ihn hat.',
    },
    search: 'Nach Namen suchen',
    none: { folders: 'Keine Ordner', tags: 'Keine Tags' },
    more: 'Mehr zeigen',
    newFolder: 'Neuer Ordner',
    create: 'Erstellen',
    rename: (name) => `${name} umbenennen`,
    delete: (name) => `${name} löschen`,
    newName: (name) => `Neuer Name von ${name}`,
    mergeHint: 'Mit dem Namen eines anderen Tags werden beide vereint.',
    deleteTitle: (name) => `${name} löschen?`,
    deleteExplain: {
      folders: (count) =>
        plural(count, {
          one: 'Sein # Link bleibt, ohne Ordner.',
          other: 'Seine # Links bleiben, ohne Ordner.',
        }),
      tags: (count) =>
        plural(count, {
          one: 'Er wird von # Link entfernt, der erhalten bleibt.',
          other: 'Er wird von # Links entfernt, die erhalten bleiben.',
        }),
    },
  },
})

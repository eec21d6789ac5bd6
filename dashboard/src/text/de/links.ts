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
      status: 'Status',
      tags: 'Tags',
      periodClicks: '30 Tage',
      clicks: 'Gesamt',
      conversions: 'Conversions',
      lastClickedAt: 'Letzter Klick',
      createdAt: 'Erstellt',
    },
    columnNames: {
      status: 'Status',
      tags: 'Tags',
      periodClicks: 'Klicks, 30 Tage',
      clicks: 'Klicks, gesamt',
      conversions: 'Conversions',
      lastClickedAt: 'Letzter Klick',
      createdAt: 'Erstellt',
    },
    deleteTitle: (count) => plural(count, { one: '# Link löschen?', other: '# Links löschen?' }),
    deleteExplain:
      'Besucher sehen dann „Nicht gefunden“, und QR-Codes funktionieren nicht mehr. Eine Stunde lang lässt sich das rückgängig machen.',
    chooseColumns: 'Spalten',
    menuOf: (slug) => `Aktionen für ${slug}`,
    openStatistics: 'Statistik',
    showQr: 'QR-Code',
    copyLink: 'Kurzlink kopieren',
    badges: {
      password: 'Passwort',
      starts: (time) => `beginnt ${time}`,
      expires: (time) => `läuft ab ${time}`,
      maxClicks: (count) => `höchstens ${count} Klicks`,
      rules: (count) => plural(count, { one: '# Regel', other: '# Regeln' }),
      variants: (count) =>
        plural(count, { one: 'A/B-Test mit # Variante', other: 'A/B-Test mit # Varianten' }),
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: '# Conversion', other: '# Conversions' })} in ${days} Tagen`,
    sortBy: (column) => `Nach ${column} sortieren`,
    select: (slug) => `${slug} auswählen`,
    selected: (count) => `${formatNumber(count)} ausgewählt`,
    allMatching: (count) => `Alle ${count} auswählen`,
    clearSelection: 'Auswahl aufheben',
    qrCodesOf: (count) =>
      plural(count, { one: 'QR-Code von # Link', other: 'QR-Codes von # Links' }),
    downloadZip: 'ZIP herunterladen',
    format: 'Format',
    archive: 'Archivieren',
    delete: 'Löschen',
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
  views: {
    title: 'Ansichten',
    none: 'Alle Links',
    save: 'Diese Ansicht speichern',
    saved: 'Ansicht gespeichert.',
    deleted: 'Ansicht gelöscht.',
    edit: (name) => `${name} umbenennen oder teilen`,
    delete: (name) => `${name} löschen`,
    name: 'Name',
    noName: 'Bitte einen Namen eingeben.',
    share: 'Im Workspace teilen',
    shareHint: 'Alle Mitglieder sehen sie und können sie ändern.',
  },
  bulk: {
    title: (count) => plural(count, { one: '# Link bearbeiten', other: '# Links bearbeiten' }),
    apply: (count) => plural(count, { one: '# Link ändern', other: '# Links ändern' }),
    tags: 'Tags',
    tagModes: { change: 'Tags hinzufügen oder entfernen', replace: 'Alle Tags ersetzen' },
    addTags: 'Tags hinzufügen',
    removeTags: 'Tags entfernen',
    newTags: 'Neue Tags',
    newTagsHint: 'Leer lassen, um alle Tags zu entfernen.',
    groupModes: { keep: 'Unverändert', set: 'Setzen', clear: 'Entfernen' },
    statusModes: {
      keep: 'Unverändert',
      active: 'Aktiv',
      paused: 'Pausiert',
      archived: 'Archiviert',
    },
    utmHint: 'Leere Felder behalten ihre Werte.',
    preview: 'Vorschau',
    nothing: 'Bitte wählen, was sich ändern soll. Hier erscheint eine Vorschau.',
    changes: (changed, count) =>
      changed === count
        ? plural(count, { one: 'Ändert # Link', other: 'Ändert # Links' })
        : plural(count, {
            one: `Ändert ${formatNumber(changed)} von # Link`,
            other: `Ändert ${formatNumber(changed)} von # Links`,
          }),
    changesAll: (count) =>
      plural(count, { one: 'Ändert höchstens # Link', other: 'Ändert höchstens # Links' }),
    more: (count) => `und ${formatNumber(count)} weitere`,
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

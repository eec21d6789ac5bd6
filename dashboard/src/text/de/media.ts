import type { messages as english } from '../en/media.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  media: {
    title: 'Bilder',
    count: (count, megabytes) =>
      `${plural(count, { one: '# Bild', other: '# Bilder' })}, ${megabytes} MB`,
    storage: (used, limit) => `${used} von ${formatNumber(limit)} MB belegt.`,
    storageLabel: 'Speicher',
    upload: 'Hochladen',
    uploads: 'Uploads',
    dismiss: (name) => `${name} ausblenden`,
    progressOf: (name) => `Fortschritt von ${name}`,
    tooLarge: 'Die Datei ist größer als 5 MiB.',
    drop: 'PNG-, JPEG-, GIF-, WebP- oder AVIF-Dateien bis 5 MiB hier ablegen.',
    types: 'PNG-, JPEG-, GIF-, WebP- oder AVIF-Dateien bis 5 MiB.',
    search: 'Bilder nach Namen suchen',
    none: 'Noch keine Bilder',
    noneExplain: 'Bilder für Vorschauen in sozialen Medien, QR-Codes und Bio-Seiten hochladen.',
    noneForViewers:
      'Mitglieder können Bilder für Vorschauen in sozialen Medien, QR-Codes und Bio-Seiten hochladen.',
    noneFound: 'Keine passenden Bilder',
    facts: (width, height, kilobytes) =>
      `${width} × ${height}, ${formatNumber(Math.ceil(kilobytes))} kB`,
    animated: 'animiert',
    unused: 'Nicht verwendet',
    usedBy: 'Verwendet von',
    andMore: (count) => `${formatNumber(count)} weiteren`,
    download: (name) => `${name} herunterladen`,
    delete: 'Löschen',
    delete_: (name) => `${name} löschen`,
    deleteAnyway: 'Überall löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteUnused: 'Das Bild wird nicht verwendet.',
    deleteUsed: (names) => `Verwendet von ${names}. Mit dem Löschen verschwindet es dort sofort.`,
    deleted: (name) => `${name} gelöscht.`,
    choose: 'Bild wählen',
    chooseOther: 'Anderes Bild wählen',
    remove: 'Entfernen',
    chosenFor: (label) => `${label}: gewähltes Bild`,
  },
})

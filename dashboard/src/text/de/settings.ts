import type { messages as english } from '../en/settings.ts'

export const messages: typeof english = () => ({
  settings: {
    title: 'Einstellungen',
    general: 'Workspace',
    name: 'Name',
    id: 'ID',
    idHint: 'API-Anfragen senden sie als x-signpost-workspace.',
    copyId: 'ID kopieren',
    timezone: 'Zeitzone',
    timezoneHint: 'Für Mitglieder, die keine eigene gewählt haben.',
    privacySignals: 'Datenschutzsignale beachten',
    privacySignalsHint:
      'Browser, die Tracking ablehnen (Sec-GPC, DNT), zählen als Klick, aber nicht als Besucher.',
    brand: 'Marke',
    brandExplain:
      'Auf den eigenen Domains des Workspaces sehen Besucher sie auf Seiten wie der eines abgelaufenen Links oder der Passwortabfrage. Die gemeinsame Domain zeigt sie nicht.',
    saveBrand: 'Marke speichern',
    logo: 'Logo',
    brandColor: 'Farbe',
    brandColorHint: 'Zum Beispiel #0b5e82, für Schaltflächen und Links.',
    saved: 'Gespeichert.',
    plan: 'Tarif',
    role: 'Eigene Rolle',
    danger: 'Gefahrenzone',
    deleteTitle: (name) => `${name} löschen?`,
    delete: 'Workspace löschen',
    deleteExplain:
      'Die Links funktionieren sofort nicht mehr. Links, Klicks, Webhooks, Schlüssel und Protokolle werden endgültig gelöscht.',
    deleted: (name) => `${name} gelöscht.`,
  },
})

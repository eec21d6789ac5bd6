import type { messages as english } from '../en/share.ts'

export const messages: typeof english = () => ({
  share: {
    product: 'Signpost',
    loading: 'Wird geladen …',
    scope: {
      workspace: 'Alle Links',
      link: 'Ein Link',
      campaign: 'Eine Kampagne',
      folder: 'Ein Ordner',
    },
    updated: (when) => `Stand ${when}`,
    away: (when) => `Der Server antwortet nicht. Diese Zahlen sind von ${when}.`,
    days: (first, last) => (first === last ? first : `${first} bis ${last}`),
    value: 'Wert',
    allClicks: 'Klicks insgesamt',
    now: 'Klicks',
    importedInAll: (clicks) => `${clicks} aller Klicks wurden aus einem anderen Dienst importiert.`,
    topLinks: 'Beliebteste Links',
    foot: (zone) => `Crawler und Linkvorschauen zählen nicht. Zeitzone: ${zone}.`,
    locked: {
      title: 'Dieses Dashboard braucht ein Passwort',
      intro: 'Bitte das Passwort eingeben, das mit dem Link kam.',
      label: 'Passwort',
      open: 'Dashboard öffnen',
      wrong: 'Falsches Passwort. Bitte erneut versuchen.',
      failed: 'Das Passwort konnte nicht geprüft werden. Bitte gleich erneut versuchen.',
      wait: (seconds) => `Zu viele Versuche. Erneut möglich in ${seconds}.`,
      cookie: 'Ein Cookie merkt sich das in diesem Browser 12 Stunden lang.',
    },
    gone: {
      title: 'Dashboard nicht gefunden',
      intro:
        'Die Adresse ist vielleicht unvollständig, oder das Dashboard wird nicht mehr geteilt. Auskunft gibt, wer den Link geschickt hat.',
    },
    failed: {
      title: 'Die Zahlen konnten nicht geladen werden',
      intro:
        'Der Server antwortet nicht oder ist ausgelastet. Diese Seite versucht es automatisch erneut.',
      retry: 'Erneut versuchen',
    },
  },
})

import type { messages as english } from '../en/overview.ts'

export const messages: typeof english = ({ plural }) => ({
  created: {
    title: 'Der Kurzlink ist fertig',
    open: 'Öffnen',
    customize: 'Anpassen',
    statistics: 'Statistik',
  },
  overview: {
    title: 'Übersicht',
    note: 'Letzte 30 Tage, verglichen mit den 30 Tagen davor.',
    countedUpTo: (time) => `Stand ${time}.`,
    today: (clicks) =>
      plural(clicks, { one: 'Heute bisher # Klick.', other: 'Heute bisher # Klicks.' }),
    firstTitle: 'Wohin soll der Link führen?',
    firstExplain:
      'Einfach eine Adresse einfügen. Daraus wird ein kurzer Link, und jeder Klick ist sofort zu sehen.',
    firstViewer:
      'Dieser Workspace hat noch keine Links. Mitglieder können welche erstellen; ihre Statistiken erscheinen hier.',
    makeShort: 'Kürzen',
    noAddress: 'Bitte eine Webadresse eingeben, etwa example.com/seite.',
    stepsTitle: 'Erste Schritte',
    stepsDone: (done, all) => `${done} von ${all} erledigt`,
    dismissSteps: 'Erste Schritte ausblenden',
    done: 'erledigt',
    steps: {
      link: { title: 'Link erstellen', explain: 'Adresse einfügen, kurzen Link erhalten' },
      click: { title: 'Einmal öffnen', explain: 'der Klick erscheint in Sekunden' },
      webhook: {
        title: 'Klicks an den eigenen Server senden',
        explain: 'Webhooks sind signiert und werden bis zur Zustellung wiederholt',
      },
      team: {
        title: 'Mitglied einladen',
        or: 'oder API-Schlüssel erstellen',
        explain: 'Links im Team nutzen oder automatisieren',
      },
    },
    needsYou: 'Zu erledigen',
    deadLetters: (count) =>
      plural(count, {
        one: '# Zustellung endgültig fehlgeschlagen',
        other: '# Zustellungen endgültig fehlgeschlagen',
      }),
    deadLettersHint: 'Antworten ansehen und wiederholen',
    limit: (name, used, limit) => `${name}: ${used} von ${limit}`,
    limitReached: 'Limit erreicht',
    limitNear: 'fast am Limit des Tarifs',
    topLinks: 'Meistgeklickt',
    topLinksHint: 'Keine Klicks in den letzten 30 Tagen.',
    sources: 'Quellen',
    recent: 'Letzte Aktivität',
    allActivity: 'Änderungsprotokoll',
    recentLinks: 'Neueste Links',
    allLinks: 'Alle Links',
    by: (name) => `von ${name}`,
  },
})

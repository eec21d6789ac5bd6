import type { messages as english } from '../en/alerts.ts'

export const messages: typeof english = () => ({
  alerts: {
    title: 'Alarme',
    note: 'Stündlich geprüft',
    new_: 'Neuer Alarm',
    edit: 'Alarm bearbeiten',
    create: 'Alarm erstellen',
    created: 'Der Alarm ist aktiv.',
    none: 'Keine Alarme',
    noneExplain:
      'Eine Mail, sobald Klicks weit über oder unter dem Üblichen liegen oder das Ziel eines Links nicht mehr antwortet.',
    wholeWorkspace: 'Ganzer Workspace',
    actionsOf: (name) => `Aktionen für den Alarm von ${name}`,
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    paused: 'Pausiert',
    delete: 'Löschen',
    deleted: 'Der Alarm ist gelöscht.',
    learning: 'Klicks: Was üblich ist, steht nach zwei Wochen fest',
    notChecked: 'Das Ziel wurde noch nicht geprüft',
    since: (time) => `(seit ${time})`,
    watchClicks: 'Ungewöhnliche Klicks',
    watchClicksHint:
      'Eine Stunde mit weit mehr oder weniger Klicks als dieselbe Stunde der letzten vier Wochen.',
    watchDestination: 'Ziel antwortet nicht',
    watchDestinationHint: 'Zwei Prüfungen nacheinander ohne Antwort oder mit einem Fehler.',
    linkHint: 'Einen einzelnen Link überwachen: auf seiner Seite „Alarm“ wählen.',
    watchOne: 'Bitte mindestens eines wählen.',
    recipients: 'Mail an',
    recipientsHint:
      'Adressen von Mitgliedern, eine pro Zeile. Eine Mail zu Beginn und eine am Ende.',
    clicks: {
      usual: (count, usual) =>
        `Klicks wie üblich: ${count} in der letzten vollen Stunde, sonst ${usual}`,
      high: (count, usual) => `Viele Klicks: ${count} in der letzten vollen Stunde, sonst ${usual}`,
      low: (count, usual) => `Wenige Klicks: ${count} in der letzten vollen Stunde, sonst ${usual}`,
    },
    destination: {
      ok: 'Das Ziel antwortet',
      failing: 'Das Ziel antwortet nicht oder mit einem Fehler',
    },
  },
})

import type { messages as english } from '../en/shared.ts'

/** By the codes of errors and of their details. */
const ERRORS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Eine Angabe ist ungültig. Bitte prüfen.',
  UNAUTHORIZED: 'Bitte erneut anmelden.',
  INVALID_CREDENTIALS: 'E-Mail-Adresse oder Passwort ist falsch.',
  PASSWORD_REQUIRED: 'Hier ist ein Passwort nötig.',
  INVALID_CODE: 'Dieser Code ist ungültig.',
  EMAIL_NOT_VERIFIED: 'Bitte zuerst die E-Mail-Adresse mit dem Link aus der E-Mail bestätigen.',
  FORBIDDEN: 'Dafür fehlt die Berechtigung.',
  SESSION_NOT_FRESH:
    'Dafür ist eine Anmeldung in den letzten 15 Minuten nötig. Bitte erneut anmelden.',
  PLAN_CAPABILITY_REQUIRED: 'Der Tarif des Workspaces enthält das nicht.',
  PLAN_LIMIT_REACHED: 'Der Workspace hat ein Limit seines Tarifs erreicht.',
  NOT_FOUND: 'Das gibt es nicht mehr.',
  CONFLICT: 'Das ist schon vergeben oder wurde gerade geändert.',
  GONE: 'Das gibt es nicht mehr.',
  PRECONDITION_FAILED: 'Das wurde inzwischen geändert.',
  PAYLOAD_TOO_LARGE: 'Das ist zu groß.',
  RATE_LIMITED: 'Zu viele Anfragen. Bitte etwas später erneut versuchen.',
  BLOCKED: 'Das wurde gesperrt.',
  INTERNAL_ERROR:
    'Auf dem Server ist etwas schiefgelaufen. Sein Protokoll nennt den Fehler unter dieser ID.',
  UNAVAILABLE: 'Der Dienst ist gerade nicht erreichbar.',
  UNREACHABLE:
    'Der Server antwortet nicht. Bitte die Verbindung prüfen; nichts Eingegebenes geht verloren.',
  required: 'Hier fehlt eine Angabe.',
  length: 'Die Länge passt nicht.',
  weak: 'Das ist leicht zu erraten. Mehrere unzusammenhängende Wörter sind besser.',
  wrong_password: 'Das Passwort ist falsch.',
  invalid: 'Das ist ungültig.',
  malformed: 'Das ist ungültig.',
  invalid_url: 'Das ist keine gültige Webadresse.',
  invalid_slug: 'Dieser Slug ist ungültig.',
  taken: 'Das ist schon vergeben.',
  blocked: 'Das ist gesperrt.',
  unknown: 'Das gibt es hier nicht.',
  in_use: 'Das wird noch verwendet.',
}

export const messages: typeof english = ({ plural, formatNumber }) => ({
  actions: {
    qrAlt: (url) => `QR-Code von ${url}`,
    retry: 'Erneut versuchen',
    close: 'Schließen',
    cancel: 'Abbrechen',
    save: 'Speichern',
    edit: 'Bearbeiten',
    copy: 'Kopieren',
    copied: 'Kopiert',
    undo: 'Rückgängig',
    more: 'Mehr',
    back: 'Zurück',
    done: 'Fertig',
    download: 'Herunterladen',
    next: 'Weiter',
    search: 'Suchen',
    chooseColor: (name) => `Farbe wählen: ${name}`,
    chosen: 'ausgewählt',
    none: 'keine',
    removeChoice: (name) => `${name} entfernen`,
    clearChoice: 'Leeren',
    showChoices: 'Auswahl zeigen',
    createChoice: (name) => `„${name}“ anlegen`,
    loading: 'Wird geladen …',
    typeToConfirm: (word) => `Zur Bestätigung ${word} eingeben`,
    nothingFound: 'Nichts gefunden.',
    undone: (count) =>
      plural(count, { one: '# Link wiederhergestellt.', other: '# Links wiederhergestellt.' }),
    undoneBut: (count, skipped) =>
      `${plural(count, { one: '# Link wiederhergestellt', other: '# Links wiederhergestellt' })}; ${formatNumber(skipped)} übersprungen, weil sie inzwischen geändert wurden.`,
    removeFilter: (name) => `Filter ${name} entfernen`,
    countedUpTo: 'Stand',
  },
  errors: {
    byCode: (code) => ERRORS[code],
    unexpected:
      'Etwas ist schiefgelaufen. Bitte die Seite neu laden; passiert es wieder, den Betreiber dieses Servers verständigen.',
    noPage: 'Seite nicht gefunden',
    goHome: 'Zur Übersicht',
    retryIn: (seconds) =>
      plural(seconds, {
        one: 'Erneuter Versuch in # Sekunde möglich.',
        other: 'Erneuter Versuch in # Sekunden möglich.',
      }),
    notLoaded:
      'Dieser Teil der Seite konnte nicht geladen werden. Bitte die Internetverbindung prüfen.',
    away: 'Der Server antwortet nicht. Eingaben gehen nicht verloren, und die Seite macht weiter, sobald er wieder da ist.',
  },
  conflict: {
    isNow: 'Jetzt:',
    isYours: 'Eigene Fassung:',
    keepMine: 'Eigene behalten',
    takeTheirs: 'Andere übernehmen',
  },
  names: {
    roles: { viewer: 'Betrachter', member: 'Mitglied', admin: 'Admin', owner: 'Inhaber' },
    plans: { self_hosted: 'Selbst gehostet', free: 'Kostenlos' },
    failedInRow: (count) =>
      plural(count, {
        one: 'der letzte Versuch ist fehlgeschlagen',
        other: '# Versuche nacheinander fehlgeschlagen',
      }),
    system: 'System',
    share: 'Statistik teilen',
    newLink: 'Neuer Link',
    destination: 'Ziel',
    addressExample: 'example.com/seite',
    deletedLink: 'gelöschter Link',
  },
  objects: {
    breadcrumb: 'Navigationspfad',
    missingHint: 'Vielleicht wurde das Objekt gelöscht, oder die Adresse ist unvollständig.',
    onlyFor: {
      viewer: 'Nur für Mitglieder',
      member: 'Nur für Mitglieder',
      admin: 'Nur für Admins und Inhaber',
      owner: 'Nur für Inhaber',
    },
    onlyForExplain: (role) =>
      `Die eigene Rolle ist ${role}. Inhaber des Workspace können mehr Rechte geben.`,
  },
  zones: { title: 'Zeitzone' },
  mail: {
    inFolder: 'Noch ist kein Mailserver eingerichtet. Die E-Mail liegt als Datei in diesem Ordner:',
    command: 'Das Terminal des Servers zeigt den Link. Auch dieser Befehl gibt ihn aus:',
    askOperator:
      'Noch ist kein Mailserver eingerichtet, daher wurde die E-Mail nicht verschickt. Den Link kennt der Betreiber dieses Servers.',
  },
})

import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Passwort',
  signIn: 'Anmelden',
  openDashboard: 'Dashboard öffnen',
  gone: {
    title: 'Dieser Link funktioniert nicht mehr',
    text: 'Der Link ist abgelaufen, wurde schon benutzt oder durch einen neueren ersetzt. Bitte einen neuen anfordern.',
  },
  verify: {
    title: 'E-Mail bestätigen',
    here: (email) => `Die Registrierung mit ${email} kam aus diesem Browser.`,
    elsewhere: (email) =>
      `Bitte das Passwort eingeben, das bei der Registrierung mit ${email} gewählt wurde. War es jemand anderes, diese Seite schließen.`,
    button: 'Bestätigen und anmelden',
    readyTitle: 'Die Adresse ist bestätigt',
    notJoined: 'Das Konto ist bereit, gehört aber noch nicht zum Workspace aus der Einladung.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    text: (email) => `Für ${email}. Überall sonst wird das Konto abgemeldet.`,
    label: 'Neues Passwort (mindestens 10 Zeichen)',
    button: 'Passwort speichern',
    done: {
      title: 'Passwort geändert',
      text: 'Alle Sitzungen sind abgemeldet. Bitte mit dem neuen Passwort anmelden.',
    },
  },
  change: {
    approveTitle: 'Neue E-Mail freigeben',
    confirmTitle: 'Neue E-Mail bestätigen',
    facts: (name, email, newEmail) =>
      `Das Konto von ${name} (${email}) wechselt zu ${newEmail}, sobald beide Adressen bestätigt haben.`,
    warning:
      'Ist es ein fremdes Konto, bitte diese Seite schließen: Sonst bekäme es diese Adresse.',
    password:
      'Bitte das Passwort dieses Kontos eingeben oder in diesem Browser zuerst dort anmelden.',
    approve: 'Freigeben',
    confirm: 'Bestätigen',
    done: 'Bestätigt',
    changed: 'Das Konto verwendet jetzt die neue Adresse.',
    almost: 'Fast fertig. Jetzt bitte die E-Mail an die andere Adresse bestätigen.',
  },
  code: {
    title: 'Code eingeben',
    text: 'Bitte die sechs Ziffern aus der Authenticator-App oder einen Backup-Code eingeben.',
    label: 'Code',
  },
  invitation: {
    title: (workspace) => `Einladung: ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} lädt in den Workspace ${workspace} ein, mit der Rolle ${role}. Die Einladung gilt für ${email} bis zum ${day}.`,
    formerMember: 'Ein früheres Mitglied',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    otherAccount: (email) =>
      `Angemeldet ist gerade ${email}. Diese Einladung gilt für eine andere Adresse.`,
    toAnswer: (email) => `Zum Antworten bitte mit ${email} anmelden.`,
    toAnswerOrSignUp: (email) =>
      `Zum Antworten bitte mit ${email} anmelden oder, falls es noch kein Konto gibt, registrieren.`,
    provider: (name) => `Weiter mit ${name}`,
    signUp: 'Registrieren und beitreten',
    unknown: {
      title: 'Einladung nicht gefunden',
      text: 'Vielleicht hat eine neuere E-Mail sie ersetzt. Bitte den Link in der letzten öffnen oder um eine neue Einladung bitten.',
    },
    closed: 'Diese Einladung ist geschlossen',
    statuses: {
      accepted: 'Diese Einladung ist bereits angenommen.',
      rejected: 'Diese Einladung wurde abgelehnt.',
      canceled: 'Diese Einladung wurde zurückgezogen.',
      expired: 'Diese Einladung ist abgelaufen.',
    },
    joined: (workspace) => `Beigetreten: ${workspace}`,
    role: (role) => `Die Rolle ist ${role}.`,
    declined: 'Die Einladung ist abgelehnt',
    declinedText: (workspace) =>
      `Kein Beitritt zu ${workspace}. Die Admins dort sehen die Antwort.`,
  },
  report: {
    title: 'Einen Kurzlink melden',
    intro:
      'Die Meldung geht an den Betreiber dieses Dienstes. Der Inhaber des Links kann den Text lesen, aber nicht die E-Mail-Adresse.',
    url: 'Kurzlink',
    reason: 'Was stimmt damit nicht?',
    reasons: {
      phishing: 'Er ahmt eine andere Website nach',
      malware: 'Er bietet schädliche Software an',
      spam: 'Er ist Spam',
      other: 'Etwas anderes',
    },
    details: 'Was ist passiert? (freiwillig)',
    email: 'E-Mail für Rückfragen (freiwillig)',
    send: 'Meldung senden',
    sent: {
      title: 'Danke für die Meldung',
      text: 'Der Betreiber dieses Dienstes sieht sich den Link an. Diese Seite kann geschlossen werden.',
    },
  },
  failed: {
    title: 'Das hat nicht geklappt',
    fix: 'Bitte zurückgehen, das Problem beheben und erneut versuchen.',
    wait: 'Bitte gleich noch einmal versuchen.',
  },
  errors: {
    length: 'Das Passwort muss 10 bis 256 Zeichen haben.',
    weak: 'Dieses Passwort ist leicht zu erraten. Ein längeres hilft, zum Beispiel aus mehreren unzusammenhängenden Wörtern.',
    required: 'Bitte das Passwort eingeben.',
    url: 'Das ist kein Kurzlink dieses Dienstes, zum Beispiel https://links.example.com/spring.',
    VALIDATION_ERROR: 'Eine Angabe ist ungültig.',
    UNAUTHORIZED: 'Bitte erneut anmelden.',
    INVALID_CREDENTIALS: 'Das Passwort ist falsch.',
    INVALID_CODE: 'Dieser Code ist ungültig.',
    FORBIDDEN: 'Das ist nicht erlaubt.',
    NOT_FOUND: 'Das gibt es nicht mehr.',
    CONFLICT: 'Das passt nicht zum jetzigen Stand. Vielleicht ist es schon erledigt.',
    GONE: 'Der Link ist abgelaufen oder wurde schon benutzt.',
    PLAN_LIMIT_REACHED: 'Der Workspace hat ein Limit seines Tarifs erreicht.',
    RATE_LIMITED: 'Zu viele Versuche. Bitte etwas später erneut versuchen.',
    UNAVAILABLE: 'Der Dienst ist gerade nicht erreichbar.',
    INTERNAL_ERROR: 'Auf dem Server ist etwas schiefgelaufen.',
  },
}

import type { messages as english } from '../en/apps.ts'

export const messages: typeof english = ({ plural }) => ({
  apps: {
    title: 'Verbundene Apps',
    count: (count) => plural(count, { one: '# App', other: '# Apps' }),
    none: 'Hier stehen Apps wie Claude oder die Kommandozeile, sobald sie erlaubt sind.',
    device: 'auf einem Gerät',
    allowTitle: (name) => `${name} erlauben?`,
    signedInAs: (email) => `Angemeldet als ${email}.`,
    describedBy: (host) => `Die App gehört zu ${host}.`,
    isUnknown: 'Diesen Namen kann jeder verwenden. Bitte prüfen, wohin die App zurückführt.',
    returnsTo: (place) => `Nach dem Erlauben führt der Browser zurück zu ${place}.`,
    returnsHere: 'Nach dem Erlauben bekommt ein Programm auf diesem Computer Zugriff.',
    checkDevice:
      'Nur erlauben, wenn die Anmeldung selbst gestartet wurde und das Terminal diesen Code zeigt:',
    workspace: 'Workspace',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    onlyAdmins: 'Nur Admins und Inhaber eines Workspace können Apps erlauben.',
    codeTitle: 'Auf einem Gerät anmelden',
    code: 'Code',
    codeHint: 'Der Code, den das Terminal zeigt.',
    goOn: 'Weiter',
    allowed: 'Erlaubt. Weiter geht es im Terminal.',
    denied: 'Abgelehnt. Diese Seite kann geschlossen werden.',
    returning: 'Der Browser kehrt zur App zurück.',
  },
})

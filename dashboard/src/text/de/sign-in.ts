import type { messages as english } from '../en/sign-in.ts'

export const messages: typeof english = () => ({
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    passkey: 'Mit Passkey anmelden',
    provider: (name) => `Weiter mit ${name}`,
    secondStep: 'Noch ein Schritt',
    code: 'Code',
    codeHint: 'Sechs Ziffern aus der Authenticator-App oder ein Ersatzcode.',
    verify: 'Weiter',
    noAccount: 'Noch kein Konto?',
    toSignUp: 'Registrieren',
    forgot: 'Passwort vergessen?',
    sendAgain: 'E-Mail erneut senden',
    sentAgain: 'Gesendet',
    again: 'Von vorn beginnen',
    closed: 'Die Registrierung ist auf diesem Server geschlossen. Konten vergibt der Betreiber.',
    invite: 'Registrierung nur mit Einladung: bitte die eingeladene Adresse verwenden.',
  },
  forgot: {
    title: 'Neues Passwort festlegen',
    submit: 'Link senden',
    sent: (email) =>
      `Falls es für ${email} ein Konto gibt, ist ein Link zum Festlegen eines neuen Passworts unterwegs.`,
  },
  signUp: {
    title: 'Konto erstellen',
    name: 'Name',
    submit: 'Registrieren',
    submitInvited: 'Registrieren und beitreten',
    invitedHint: 'Die Einladung gilt für diese Adresse.',
    passwordHint: 'Mindestens 10 Zeichen, schwer zu erraten.',
    passwordLength: (least) =>
      `Mindestens ${least} Zeichen, schwer zu erraten. Gut sind mehrere Wörter ohne Zusammenhang.`,
    closedTitle: 'Registrierung geschlossen',
    hasAccount: 'Schon ein Konto?',
    mailTitle: 'E-Mails prüfen',
    mailSent: (email) => `Ein Link ist unterwegs an ${email}. Er meldet direkt an.`,
    mailWritten: (email) => `Die E-Mail an ${email} enthält einen Link, der direkt anmeldet.`,
    invitationNeeded: 'Registrierung nur mit Einladung: bitte den Link darin öffnen.',
  },
  session: {
    title: { 'signed-out': 'Abgemeldet', 'not-fresh': 'Bitte Identität bestätigen' },
    explain: {
      'signed-out': 'Nach der Anmeldung geht es weiter. Eingaben sind nicht verloren.',
      'not-fresh': 'Diese Änderung erfordert eine aktuelle Anmeldung.',
    },
    switched: 'Mit einem anderen Konto angemeldet',
    explainSwitched: (email) =>
      `Diese Seite gehörte zu ${email}. Nicht gespeicherte Änderungen wurden verworfen; nichts wurde mit dem anderen Konto gesendet.`,
    goOn: 'Mit dem anderen Konto fortfahren',
  },
})

import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

export const mails: MailTexts = {
  hello: (name) => `Hallo ${name},`,
  helloNobody: 'Hallo,',
  unnamed: '(ohne Namen)',
  roles: { owner: 'Inhaber', admin: 'Admin', member: 'Mitglied', viewer: 'Betrachter' },
  once: 'Der Link funktioniert einmal, innerhalb einer Stunde.',
  notYou:
    'Kam die Anfrage von jemand anderem, braucht diese E-Mail keine Antwort. Es hat sich nichts geändert.',
  wasItYou:
    'War es jemand anderes, bitte sofort das Passwort zurücksetzen und alle anderen Sitzungen abmelden.',
  otherCredentials:
    'Ein neues Passwort ändert nichts an API-Schlüsseln, Passkeys und verknüpften Konten. Bitte in den Einstellungen von Konto und Workspaces prüfen und Unbekanntes entfernen.',
  verifyEmail: {
    subject: 'E-Mail-Adresse bestätigen',
    text: 'Bitte diese E-Mail-Adresse bestätigen, um die Registrierung bei Signpost abzuschließen.',
    link: 'E-Mail bestätigen',
    where: 'Bitte im Browser der Registrierung öffnen oder das gewählte Passwort bereithalten.',
    notYou:
      'Ohne eigene Registrierung braucht diese E-Mail keine Antwort. Es wird kein Konto angelegt.',
  },
  alreadyRegistered: {
    subject: 'Das Konto besteht bereits',
    text: 'Mit dieser Adresse wurde eine Registrierung bei Signpost versucht, doch sie hat schon ein Konto. Bitte anmelden, oder ein vergessenes Passwort zurücksetzen.',
    link: 'Anmelden',
  },
  resetPassword: {
    subject: 'Neues Passwort wählen',
    text: 'Für dieses Konto wurde ein neues Passwort angefordert.',
    link: 'Neues Passwort wählen',
  },
  passwordChanged: {
    subject: 'Das Passwort wurde geändert',
    text: 'Das Passwort dieses Signpost-Kontos wurde gerade geändert.',
  },
  approveEmailChange: {
    subject: 'Neue E-Mail-Adresse freigeben',
    text: (newEmail) =>
      `Die E-Mail-Adresse dieses Kontos soll zu ${newEmail} wechseln. Das geschieht, sobald es hier freigegeben und die neue Adresse bestätigt ist.`,
    link: 'Wechsel freigeben',
    notYou:
      'Kam die Anfrage von jemand anderem, bitte nicht freigeben und sofort das Passwort ändern: Fremde haben vielleicht Zugang zum Konto.',
  },
  verifyNewEmail: {
    subject: 'Neue E-Mail-Adresse bestätigen',
    text: (name, email) =>
      `${name} (${email}) möchte diese E-Mail-Adresse für ein Konto bei Signpost verwenden.`,
    link: 'E-Mail bestätigen',
    where:
      'Bitte in einem Browser öffnen, der bei diesem Konto angemeldet ist, oder dessen Passwort bereithalten.',
    notYou:
      'Ist es ein fremdes Konto, braucht diese E-Mail keine Antwort. Ohne Bestätigung ändert sich nichts.',
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse wurde geändert',
    text: (newEmail) =>
      `Das Konto verwendet jetzt ${newEmail}. Dies ist die letzte E-Mail an die alte Adresse.`,
    notYou:
      'War es jemand anderes, bitte an den Betreiber dieses Servers wenden. Eine Anmeldung mit dieser Adresse ist nicht mehr möglich.',
  },
  invitation: {
    subject: 'Einladung in einen Workspace auf Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} lädt in den Workspace ${workspace} auf Signpost ein, mit der Rolle ${role}.`,
    link: 'Einladung öffnen',
    terms:
      'Nur diese Adresse kann die Einladung annehmen. Sie läuft in 14 Tagen ab. Der Link bestätigt die Adresse, deshalb bitte diese E-Mail nicht weiterleiten.',
    unknown: 'Ist der Absender unbekannt, braucht diese E-Mail keine Antwort.',
  },
  accountDeleted: {
    subject: 'Das Konto wurde gelöscht',
    text: 'Das Konto wurde gelöscht, zusammen mit allen Daten, die nur ihm gehörten. Dies ist unsere letzte E-Mail.',
  },
  webhookFailing: {
    subject: 'Webhook-Zustellungen schlagen fehl',
    subjectPaused: 'Webhook-Endpunkte wurden wegen fehlgeschlagener Zustellungen pausiert',
    text: (workspace) =>
      `Alle Zustellungen an diese Webhook-Endpunkte des Workspaces ${workspace} schlagen fehl:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} beim letzten Versuch, kein Erfolg seit ${since}.`,
    pausedAt: (time) => `Pausiert seit ${time}.`,
    status: (status) => `Status ${status}`,
    noAnswer: (error) => `keine Antwort (${error})`,
    more: (count) => plural(count, { one: 'Und # weiterer.', other: 'Und # weitere.' }),
    paused:
      'Ein pausierter Endpunkt empfängt nichts. Sobald der Empfänger wieder funktioniert, lässt er sich im Dashboard fortsetzen: Wartende Zustellungen werden dann gesendet, und eine Wiederholung sendet, was dazwischen geschah.',
    kept: 'Zustellungen ohne weitere Versuche bleiben erhalten. Sie lassen sich wiederholen, sobald der Empfänger mit einem Status 2xx antwortet.',
    why: 'Diese E-Mail kommt, weil ein Endpunkt diese Adresse als failureEmail nennt. Jeder Endpunkt wird bis zum nächsten Erfolg einmal gemeldet.',
    whyPaused:
      'Diese E-Mail kommt, weil ein Endpunkt diese Adresse als failureEmail nennt oder weil dem Konto der Workspace gehört. Jeder Endpunkt wird bis zum nächsten Erfolg einmal gemeldet, und einmal, wenn er pausiert wird.',
  },
  reportReady: {
    subject: 'Ein geplanter Bericht ist fertig',
    text: (report, workspace) => `Der Bericht ${report} des Workspaces ${workspace} ist fertig.`,
    link: 'Berichte öffnen',
    terms: 'Zum Öffnen ist eine Anmeldung nötig. Die Datei bleibt 30 Tage lang erhalten.',
    why: 'Diese E-Mail geht an die Empfänger dieses Berichts. Ein Mitglied des Workspaces kann Empfänger entfernen.',
  },
  alert: {
    subject: 'Ein Alarm zu Links',
    over: 'Ein Alarm ist vorbei',
    wholeWorkspace: 'der ganze Workspace',
    high: (target, count, usual) =>
      `${target}: ${count} Klicks in der letzten vollen Stunde; üblich sind um diese Zeit ${usual}.`,
    low: (target, count, usual) =>
      `${target}: nur ${count} Klicks in der letzten vollen Stunde; üblich sind um diese Zeit ${usual}.`,
    failing: (target) => `${target}: Das Ziel antwortet nicht oder mit einem Fehler.`,
    clicksOver: (target, count) =>
      `${target}: Die Klicks sind wieder wie üblich, ${count} in der letzten vollen Stunde.`,
    destinationOver: (target) => `${target}: Das Ziel antwortet wieder.`,
    of: (workspace) => `Workspace: ${workspace}.`,
    link: 'Alarme öffnen',
    why: 'Diese E-Mail geht an die Empfänger dieses Alarms. Ein Mitglied des Workspaces kann Empfänger entfernen.',
  },
}

import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Link nicht gefunden',
      text: 'Bitte die Adresse auf Tippfehler prüfen. Vielleicht wurde der Link auch abgeschaltet oder gelöscht.',
    },
    pending: {
      title: 'Dieser Link ist noch nicht verfügbar',
      text: 'Bitte später wiederkommen oder beim Absender nachfragen, ab wann er funktioniert.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Er funktionierte bis zu einem Datum, das sein Inhaber gewählt hat. Einen neuen gibt es beim Absender.',
    },
    exhausted: {
      title: 'Das Klicklimit dieses Links ist erreicht',
      text: 'Er ließ sich nur begrenzt oft öffnen. Einen neuen gibt es beim Absender.',
    },
    suspended: {
      title: 'Dieser Link ist außer Betrieb',
      text: 'Das Konto dahinter ist nicht aktiv. Wohin er führen sollte, weiß der Absender.',
    },
    blocked: {
      title: 'Dieser Link wurde gesperrt',
      text: 'Der Betreiber dieses Dienstes hat ihn gesperrt. Kam der Link in einer Nachricht, ist auch bei allem anderen darin Vorsicht geboten.',
    },
    noPreview: {
      title: 'Keine Vorschau für diese Adresse',
      text: 'Entweder gibt es den Link nicht, oder er zeigt nicht, wohin er führt.',
    },
    malformed: {
      title: 'Diese Adresse ist ungültig',
      text: 'Sie enthält Zeichen, die in keinem Link vorkommen. Wurde sie vollständig kopiert?',
    },
    tooLong: {
      title: 'Diese Adresse ist zu lang',
      text: 'Wurde zusammen mit dem Link noch etwas anderes kopiert?',
    },
    unavailable: {
      title: 'Bitte erneut versuchen',
      text: 'Dieser Link lässt sich gerade nicht nachschlagen. In ein paar Sekunden erneut versuchen.',
    },
    broken: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Das Problem liegt auf unserer Seite. In ein paar Sekunden erneut versuchen.',
    },
  },
  error: 'Fehler',
  reportAbuse: 'Missbrauch melden',
  password: {
    title: 'Dieser Link braucht ein Passwort',
    intro: 'Bitte das Passwort eingeben, das mit dem Link kam.',
    wrong: 'Dieses Passwort ist falsch. Bitte prüfen und erneut versuchen.',
    label: 'Passwort',
    open: 'Link öffnen',
    cookie: 'Ein Cookie hält den Link in diesem Browser 12 Stunden lang offen.',
  },
  attempts: {
    title: 'Zu viele Versuche',
    wait: (time) => `Dieses Passwort wurde nicht geprüft. Erneut möglich in ${time}.`,
    back: 'Zurück zum Link',
  },
  app: {
    title: 'Dieser Link öffnet eine App',
    without: (host) => `Ohne die App geht es weiter zu ${host}.`,
    open: 'App öffnen',
    browser: 'Im Browser fortfahren',
  },
  inspection: {
    title: 'Dieser Link führt zu',
    conditional: 'Je nach Gerät, Ort oder Zeit kann er auch woandershin führen.',
    mixedScript:
      'Vorsicht: Der Name der Website in dieser Adresse mischt Alphabete oder verwendet Buchstaben, die lateinischen ähneln. Ist es wirklich die erwartete Website?',
  },
}

import type { messages as english } from '../en/members.ts'

export const messages: typeof english = ({ plural }) => ({
  members: {
    title: 'Mitglieder',
    count: (count) => plural(count, { one: '# Mitglied', other: '# Mitglieder' }),
    you: 'eigenes Konto',
    roleOf: (name) => `Rolle von ${name}`,
    roleHints: {
      viewer: 'sieht Links und Statistiken',
      member: 'erstellt und ändert auch Links und Kampagnen',
      admin: 'verwaltet auch Webhooks, Schlüssel, Mitglieder und Protokolle',
      owner: 'verwaltet auch die Abrechnung und kann den Workspace löschen',
    },
    roleChanged: (name, role) => `${name} hat jetzt die Rolle ${role}.`,
    joined: 'Beigetreten',
    lastActive: 'aktiv',
    neverActive: 'noch nicht aktiv',
    twoFactor: 'Zwei-Faktor-Anmeldung',
    noTwoFactor: 'Keine Zwei-Faktor-Anmeldung',
    actionsOf: (name) => `Aktionen für ${name}`,
    remove: 'Entfernen',
    removeTitle: (name) => `${name} entfernen?`,
    removeExplain:
      'API-Schlüssel dieses Mitglieds funktionieren in diesem Workspace sofort nicht mehr. Was es erstellt hat, bleibt.',
    removed: (name) => `${name} entfernt.`,
    leave: 'Workspace verlassen',
    leaveTitle: (name) => `${name} verlassen?`,
    leaveExplain:
      'Die eigenen API-Schlüssel in diesem Workspace funktionieren sofort nicht mehr. Zurück geht es nur mit einer neuen Einladung.',
    invite: 'Einladen',
    inviteTitle: 'Mitglied einladen',
    email: 'E-Mail',
    role: 'Rolle',
    send: 'Einladung senden',
    sent: (email) => `${email} eingeladen.`,
    notMailed: (email) =>
      `${email} ist eingeladen, aber die E-Mail wurde nicht verschickt: Die Adresse hat in der letzten Stunde zu viele erhalten. Bitte später erneut versuchen.`,
    accountRequired:
      'Die Registrierung ist auf diesem Server geschlossen. Wer noch kein Konto hat, bekommt es vom Betreiber.',
    invitations: 'Einladungen',
    invitationStatuses: {
      pending: 'Offen',
      accepted: 'Angenommen',
      rejected: 'Abgelehnt',
      canceled: 'Zurückgezogen',
      expired: 'Abgelaufen',
    },
    noInvitations: 'Keine offenen Einladungen.',
    expires: 'läuft ab',
    resend: 'Erneut senden',
    getLink: 'Link erhalten',
    linkTitle: 'Einladungslink',
    linkNote: (email) =>
      `Der Link lässt sich auch selbst weitergeben. Nur ${email} kann damit beitreten, nach Bestätigung dieser Adresse per E-Mail.`,
    makeLink: 'Link erstellen',
    copyLink: 'Link kopieren',
    cancelInvitation: 'Einladung zurückziehen',
    canceled: (email) => `Einladung für ${email} zurückgezogen.`,
    invitedAgain: (email) => `${email} erneut eingeladen.`,
    actionsOfInvitation: (email) => `Aktionen für die Einladung von ${email}`,
  },
})

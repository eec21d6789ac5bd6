import type { messages as english } from '../en/members.ts'

export const messages: typeof english = ({ plural }) => ({
  members: {
    title: 'Membres',
    count: (count) => plural(count, { one: '# membre', other: '# membres' }),
    you: 'vous',
    roleOf: (name) => `Rôle de ${name}`,
    roleHints: {
      viewer: 'voit les liens et les statistiques',
      member: 'crée et modifie aussi les liens et les campagnes',
      admin: 'gère aussi les webhooks, les clés, les membres et les journaux',
      owner: 'gère aussi la facturation et peut supprimer l’espace de travail',
    },
    roleChanged: (name, role) => `${name} a maintenant le rôle ${role.toLowerCase()}.`,
    joined: 'Arrivé',
    lastActive: 'actif',
    neverActive: 'pas encore actif',
    twoFactor: 'Double authentification',
    noTwoFactor: 'Pas de double authentification',
    actionsOf: (name) => `Actions pour ${name}`,
    remove: 'Retirer',
    removeTitle: (name) => `Retirer ${name} ?`,
    removeExplain:
      'Ses clés API dans cet espace de travail cessent de fonctionner immédiatement. Ce qui a été créé reste.',
    removed: (name) => `${name} retiré.`,
    leave: 'Quitter l’espace de travail',
    leaveTitle: (name) => `Quitter ${name} ?`,
    leaveExplain:
      'Vos clés API dans cet espace de travail cessent de fonctionner immédiatement. Il vous faudra une nouvelle invitation pour revenir.',
    invite: 'Inviter',
    inviteTitle: 'Inviter un membre',
    email: 'E-mail',
    role: 'Rôle',
    send: 'Envoyer l’invitation',
    sent: (email) => `${email} invité.`,
    notMailed: (email) =>
      `${email} est invité, mais aucun e-mail n’a été envoyé : cette adresse en a trop reçu pendant la dernière heure. Réessayez plus tard.`,
    accountRequired:
      'Les inscriptions sont fermées sur ce serveur. Sans compte, il faut d’abord en demander un à l’opérateur.',
    invitations: 'Invitations',
    invitationStatuses: {
      pending: 'En attente',
      accepted: 'Acceptée',
      rejected: 'Refusée',
      canceled: 'Annulée',
      expired: 'Expirée',
    },
    noInvitations: 'Aucune invitation en attente.',
    expires: 'expire',
    resend: 'Renvoyer',
    getLink: 'Obtenir un lien',
    linkTitle: 'Lien d’invitation',
    linkNote: (email) =>
      `Vous pouvez aussi partager un lien vous-même. Seul ${email} peut rejoindre avec, après avoir confirmé cette adresse par e-mail.`,
    makeLink: 'Créer un lien',
    copyLink: 'Copier le lien',
    cancelInvitation: 'Annuler l’invitation',
    canceled: (email) => `Invitation de ${email} annulée.`,
    invitedAgain: (email) => `${email} invité à nouveau.`,
    actionsOfInvitation: (email) => `Actions pour l’invitation de ${email}`,
  },
})

import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('fr')

export const mails: MailTexts = {
  hello: (name) => `Bonjour ${name},`,
  helloNobody: 'Bonjour,',
  unnamed: '(sans nom)',
  roles: { owner: 'propriétaire', admin: 'admin', member: 'membre', viewer: 'lecteur' },
  once: 'Le lien fonctionne une seule fois, pendant une heure.',
  notYou: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Rien n’a changé.',
  wasItYou:
    'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et fermez toutes les autres sessions.',
  otherCredentials:
    'Un nouveau mot de passe ne change rien à vos clés API, clés d’accès et comptes liés. Vérifiez-les dans les paramètres de votre compte et de vos espaces de travail, et supprimez ceux que vous ne reconnaissez pas.',
  verifyEmail: {
    subject: 'Confirmez votre adresse e-mail',
    text: 'Confirmez cette adresse e-mail pour terminer votre inscription à Signpost.',
    link: 'Confirmer l’adresse',
    where:
      'Ouvrez-le dans le navigateur de votre inscription, ou gardez votre mot de passe à portée de main.',
    notYou: 'Si vous ne vous êtes pas inscrit, ignorez cet e-mail. Aucun compte n’est créé.',
  },
  alreadyRegistered: {
    subject: 'Vous avez déjà un compte',
    text: 'Quelqu’un s’est inscrit à Signpost avec cette adresse, mais elle a déjà un compte. Connectez-vous, ou réinitialisez votre mot de passe si vous l’avez oublié.',
    link: 'Se connecter',
  },
  resetPassword: {
    subject: 'Choisissez un nouveau mot de passe',
    text: 'Un nouveau mot de passe a été demandé pour votre compte.',
    link: 'Choisir un mot de passe',
  },
  passwordChanged: {
    subject: 'Votre mot de passe a été modifié',
    text: 'Le mot de passe de votre compte Signpost vient d’être modifié.',
  },
  approveEmailChange: {
    subject: 'Approuvez le changement de votre adresse e-mail',
    text: (newEmail) =>
      `Le remplacement de votre adresse e-mail par ${newEmail} a été demandé. Il prend effet une fois approuvé ici et la nouvelle adresse confirmée.`,
    link: 'Approuver',
    notYou:
      'Si vous n’êtes pas à l’origine de cette demande, ne l’approuvez pas. Changez votre mot de passe sans attendre : un inconnu a peut-être accès à votre compte.',
  },
  verifyNewEmail: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    text: (name, email) =>
      `${name} (${email}) souhaite utiliser cette adresse e-mail pour son compte Signpost.`,
    link: 'Confirmer l’adresse',
    where:
      'Ouvrez-le dans un navigateur connecté à ce compte, ou gardez son mot de passe à portée de main.',
    notYou:
      'Si ce n’est pas votre compte, ignorez cet e-mail. Rien ne change sans votre confirmation.',
  },
  emailChanged: {
    subject: 'Votre adresse e-mail a été modifiée',
    text: (newEmail) =>
      `Votre compte utilise désormais ${newEmail}. Ceci est le dernier e-mail envoyé à votre ancienne adresse.`,
    notYou:
      'Si ce n’était pas vous, contactez l’opérateur de ce serveur. Cette adresse ne permet plus de se connecter.',
  },
  invitation: {
    subject: 'Invitation à un espace de travail sur Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} vous invite dans l’espace de travail ${workspace} sur Signpost, avec le rôle ${role}.`,
    link: 'Ouvrir l’invitation',
    terms:
      'Seule cette adresse peut accepter l’invitation. Elle expire dans 14 jours. Le lien confirme que l’adresse est la vôtre : ne transférez pas cet e-mail.',
    unknown: 'Si vous ne connaissez pas l’expéditeur, ignorez cet e-mail.',
  },
  accountDeleted: {
    subject: 'Votre compte a été supprimé',
    text: 'Votre compte a été supprimé, avec toutes les données qui n’appartenaient qu’à vous. Ceci est notre dernier e-mail.',
  },
  webhookFailing: {
    subject: 'Des envois de webhooks échouent',
    subjectPaused: 'Des points de terminaison sont en pause, car leurs envois échouent',
    text: (workspace) =>
      `Tous les envois à ces points de terminaison de l’espace de travail ${workspace} échouent :`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}) : ${last} à la dernière tentative, aucun succès depuis ${since}.`,
    pausedAt: (time) => `En pause depuis ${time}.`,
    status: (status) => `statut ${status}`,
    noAnswer: (error) => `pas de réponse (${error})`,
    more: (count) => plural(count, { one: 'Et # autre.', other: 'Et # autres.' }),
    paused:
      'Un point de terminaison en pause ne reçoit rien. Une fois son récepteur rétabli, reprenez-le dans le tableau de bord : les envois en attente partent alors, et une relecture envoie ce qui s’est passé entre-temps.',
    kept: 'Les envois sans tentative restante sont conservés. Vous pouvez les relancer dès que le récepteur répond par un statut 2xx.',
    why: 'Vous recevez cet e-mail parce qu’un point de terminaison indique votre adresse comme failureEmail. Chacun est signalé une fois jusqu’à son prochain succès.',
    whyPaused:
      'Vous recevez cet e-mail parce qu’un point de terminaison indique votre adresse comme failureEmail, ou parce que l’espace de travail vous appartient. Chacun est signalé une fois jusqu’à son prochain succès, et une fois à sa mise en pause.',
  },
  reportReady: {
    subject: 'Un rapport programmé est prêt',
    text: (report, workspace) =>
      `Le rapport ${report} de l’espace de travail ${workspace} est prêt.`,
    link: 'Ouvrir les rapports',
    terms: 'Vous devez vous connecter pour l’ouvrir. Le fichier est conservé 30 jours.',
    why: 'Vous recevez cet e-mail parce que vous êtes destinataire de ce rapport. Un membre de l’espace de travail peut vous retirer.',
  },
  alert: {
    subject: 'Une alerte sur vos liens',
    over: 'Une alerte est terminée',
    wholeWorkspace: 'tout l’espace de travail',
    high: (target, count, usual) =>
      `${target} : ${count} clics pendant la dernière heure pleine, contre ${usual} d’habitude à cette heure.`,
    low: (target, count, usual) =>
      `${target} : seulement ${count} clics pendant la dernière heure pleine, contre ${usual} d’habitude à cette heure.`,
    failing: (target) => `${target} : la destination ne répond pas, ou répond par une erreur.`,
    clicksOver: (target, count) =>
      `${target} : les clics sont de nouveau habituels, ${count} pendant la dernière heure pleine.`,
    destinationOver: (target) => `${target} : la destination répond de nouveau.`,
    of: (workspace) => `Espace de travail : ${workspace}.`,
    link: 'Ouvrir les alertes',
    why: 'Vous recevez cet e-mail car vous êtes destinataire de cette alerte. Un membre de l’espace de travail peut vous retirer.',
  },
}

import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Mot de passe',
  signIn: 'Se connecter',
  openDashboard: 'Ouvrir le tableau de bord',
  gone: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Ce lien a expiré, a déjà servi ou a été remplacé par un plus récent. Demandez-en un nouveau.',
  },
  verify: {
    title: 'Confirmez votre adresse',
    here: (email) => `Vous vous êtes inscrit avec ${email} dans ce navigateur.`,
    elsewhere: (email) =>
      `Saisissez le mot de passe choisi lors de l’inscription avec ${email}. Si ce n’était pas vous, fermez cette page.`,
    button: 'Confirmer et se connecter',
    readyTitle: 'Votre adresse est confirmée',
    notJoined:
      'Votre compte est prêt, mais vous n’avez pas rejoint l’espace de travail qui vous a invité.',
  },
  reset: {
    title: 'Choisissez un nouveau mot de passe',
    text: (email) => `Pour ${email}. Toutes les autres sessions seront fermées.`,
    label: 'Nouveau mot de passe (au moins 10 caractères)',
    button: 'Enregistrer',
    done: {
      title: 'Mot de passe modifié',
      text: 'Toutes les sessions sont fermées. Connectez-vous avec votre nouveau mot de passe.',
    },
  },
  change: {
    approveTitle: 'Approuvez votre nouvelle adresse',
    confirmTitle: 'Confirmez votre nouvelle adresse',
    facts: (name, email, newEmail) =>
      `Le compte de ${name} (${email}) passe à ${newEmail} une fois les deux adresses confirmées.`,
    warning:
      'Si ce n’est pas votre compte, fermez cette page : la confirmation lui donnerait votre adresse.',
    password:
      'Saisissez le mot de passe de ce compte, ou connectez-vous d’abord à ce compte dans ce navigateur.',
    approve: 'Approuver',
    confirm: 'Confirmer',
    done: 'Confirmé',
    changed: 'Votre compte utilise désormais la nouvelle adresse.',
    almost: 'Presque terminé. Confirmez maintenant l’e-mail envoyé à l’autre adresse.',
  },
  code: {
    title: 'Saisissez votre code',
    text: 'Saisissez les six chiffres de votre application d’authentification, ou un code de secours.',
    label: 'Code',
  },
  invitation: {
    title: (workspace) => `Invitation : ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} vous invite dans l’espace de travail ${workspace}, avec le rôle ${role}. L’invitation est destinée à ${email} et expire le ${day}.`,
    formerMember: 'Un ancien membre',
    accept: 'Accepter',
    decline: 'Refuser',
    otherAccount: (email) =>
      `Vous êtes connecté en tant que ${email}. Cette invitation est destinée à une autre adresse.`,
    toAnswer: (email) => `Pour répondre, connectez-vous avec ${email}.`,
    toAnswerOrSignUp: (email) =>
      `Pour répondre, connectez-vous avec ${email}, ou inscrivez-vous si vous n’avez pas encore de compte.`,
    provider: (name) => `Continuer avec ${name}`,
    signUp: 'S’inscrire et rejoindre',
    unknown: {
      title: 'Invitation introuvable',
      text: 'Un e-mail plus récent l’a peut-être remplacée. Ouvrez le lien du dernier, ou demandez une nouvelle invitation.',
    },
    closed: 'Cette invitation est close',
    statuses: {
      accepted: 'Cette invitation est déjà acceptée.',
      rejected: 'Cette invitation a été refusée.',
      canceled: 'Cette invitation a été annulée.',
      expired: 'Cette invitation a expiré.',
    },
    joined: (workspace) => `Vous avez rejoint ${workspace}`,
    role: (role) => `Votre rôle : ${role}.`,
    declined: 'Vous avez refusé l’invitation',
    declinedText: (workspace) =>
      `Vous n’avez pas rejoint ${workspace}. Ses admins voient votre réponse.`,
  },
  report: {
    title: 'Signaler un lien court',
    intro:
      'Votre signalement est envoyé à l’opérateur de ce service. Le propriétaire du lien peut lire votre texte, mais pas votre adresse e-mail.',
    url: 'Lien court',
    reason: 'Quel est le problème ?',
    reasons: {
      phishing: 'Il imite un autre site',
      malware: 'Il propose un logiciel malveillant',
      spam: 'C’est du spam',
      other: 'Autre chose',
    },
    details: 'Que s’est-il passé ? (facultatif)',
    email: 'Votre e-mail, pour des questions (facultatif)',
    send: 'Envoyer',
    sent: {
      title: 'Merci pour votre signalement',
      text: 'L’opérateur de ce service va examiner le lien. Vous pouvez fermer cette page.',
    },
  },
  failed: {
    title: 'Cela n’a pas fonctionné',
    fix: 'Revenez en arrière, corrigez le problème et réessayez.',
    wait: 'Réessayez dans un instant.',
  },
  errors: {
    length: 'Le mot de passe doit avoir de 10 à 256 caractères.',
    weak: 'Ce mot de passe est facile à deviner. Choisissez-en un plus long, par exemple plusieurs mots sans rapport.',
    required: 'Saisissez le mot de passe.',
    url: 'Ce n’est pas un lien court de ce service, comme https://links.example.com/spring.',
    VALIDATION_ERROR: 'Une valeur n’est pas valide.',
    UNAUTHORIZED: 'Connectez-vous de nouveau.',
    INVALID_CREDENTIALS: 'Le mot de passe est incorrect.',
    INVALID_CODE: 'Ce code n’est pas valide.',
    FORBIDDEN: 'Cela n’est pas autorisé.',
    NOT_FOUND: 'Cela n’existe plus.',
    CONFLICT: 'Cela ne correspond plus à l’état actuel. C’est peut-être déjà fait.',
    GONE: 'Ce lien a expiré ou a déjà servi.',
    PLAN_LIMIT_REACHED: 'L’espace de travail a atteint une limite de son forfait.',
    RATE_LIMITED: 'Trop de tentatives. Réessayez un peu plus tard.',
    UNAVAILABLE: 'Le service est indisponible pour le moment.',
    INTERNAL_ERROR: 'Une erreur s’est produite sur le serveur.',
  },
}

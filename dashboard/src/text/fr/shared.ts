import type { messages as english } from '../en/shared.ts'

/** By the codes of errors and of their details. */
const ERRORS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Une valeur n’est pas valide. Vérifiez-la.',
  UNAUTHORIZED: 'Connectez-vous de nouveau.',
  INVALID_CREDENTIALS: 'L’adresse e-mail ou le mot de passe est incorrect.',
  PASSWORD_REQUIRED: 'Un mot de passe est nécessaire.',
  INVALID_CODE: 'Ce code n’est pas valide.',
  EMAIL_NOT_VERIFIED: 'Confirmez d’abord votre adresse avec le lien reçu par e-mail.',
  FORBIDDEN: 'Vous n’avez pas l’autorisation de faire cela.',
  SESSION_NOT_FRESH: 'Cela exige une connexion datant de moins de 15 minutes. Reconnectez-vous.',
  PLAN_CAPABILITY_REQUIRED: 'Le forfait de l’espace de travail ne le comprend pas.',
  PLAN_LIMIT_REACHED: 'L’espace de travail a atteint une limite de son forfait.',
  NOT_FOUND: 'Cela n’existe plus.',
  CONFLICT: 'C’est déjà pris ou cela vient de changer.',
  GONE: 'Cela n’existe plus.',
  PRECONDITION_FAILED: 'Cela a changé entre-temps.',
  PAYLOAD_TOO_LARGE: 'C’est trop volumineux.',
  RATE_LIMITED: 'Trop de demandes. Réessayez un peu plus tard.',
  BLOCKED: 'Cela a été bloqué.',
  INTERNAL_ERROR:
    'Une erreur s’est produite sur le serveur. Son journal la contient sous cet identifiant.',
  UNAVAILABLE: 'Le service est indisponible pour le moment.',
  UNREACHABLE:
    'Le serveur ne répond pas. Vérifiez votre connexion ; rien de ce que vous avez saisi n’est perdu.',
  required: 'Une valeur est nécessaire.',
  length: 'La longueur ne convient pas.',
  weak: 'C’est facile à deviner. Plusieurs mots sans rapport conviennent mieux.',
  wrong_password: 'Le mot de passe est incorrect.',
  invalid: 'Ce n’est pas valide.',
  malformed: 'Ce n’est pas valide.',
  invalid_url: 'Ce n’est pas une adresse web valide.',
  invalid_slug: 'Ce slug n’est pas valide.',
  taken: 'C’est déjà pris.',
  blocked: 'C’est bloqué.',
  unknown: 'Cela n’existe pas ici.',
  in_use: 'C’est encore utilisé.',
}

export const messages: typeof english = ({ plural, formatNumber }) => ({
  actions: {
    qrAlt: (url) => `QR code de ${url}`,
    retry: 'Réessayer',
    close: 'Fermer',
    cancel: 'Annuler',
    save: 'Enregistrer',
    edit: 'Modifier',
    copy: 'Copier',
    copied: 'Copié',
    undo: 'Annuler',
    more: 'Plus',
    back: 'Retour',
    done: 'Terminé',
    download: 'Télécharger',
    next: 'Suivant',
    search: 'Rechercher',
    chooseColor: (name) => `Choisir la couleur : ${name}`,
    chosen: 'choisi',
    loading: 'Chargement…',
    none: 'aucun',
    removeChoice: (name) => `Retirer ${name}`,
    clearChoice: 'Effacer',
    showChoices: 'Afficher les choix',
    createChoice: (name) => `Créer « ${name} »`,
    typeToConfirm: (word) => `Saisissez ${word} pour confirmer`,
    nothingFound: 'Aucun résultat.',
    undone: (count) => plural(count, { one: '# lien restauré.', other: '# liens restaurés.' }),
    undoneBut: (count, skipped) =>
      `${plural(count, { one: '# lien restauré', other: '# liens restaurés' })} ; ${formatNumber(skipped)} ignorés, car modifiés depuis.`,
    removeFilter: (name) => `Retirer le filtre ${name}`,
    countedUpTo: 'À jour à',
  },
  errors: {
    byCode: (code) => ERRORS[code],
    unexpected:
      'Une erreur s’est produite. Rechargez la page ; si cela se reproduit, prévenez l’opérateur de ce serveur.',
    noPage: 'Page introuvable',
    goHome: 'Aller à l’aperçu',
    retryIn: (seconds) =>
      plural(seconds, { one: 'Réessayez dans # seconde.', other: 'Réessayez dans # secondes.' }),
    notLoaded: 'Cette partie de la page n’a pas pu être chargée. Vérifiez votre connexion.',
    away: 'Le serveur ne répond pas. Rien de ce que vous avez saisi n’est perdu, et la page reprendra à son retour.',
  },
  conflict: {
    isNow: 'Maintenant :',
    isYours: 'La vôtre :',
    keepMine: 'Garder la mienne',
    takeTheirs: 'Prendre l’autre',
  },
  names: {
    roles: { viewer: 'Lecteur', member: 'Membre', admin: 'Admin', owner: 'Propriétaire' },
    plans: { self_hosted: 'Auto-hébergée', free: 'Gratuite' },
    failedInRow: (count) =>
      plural(count, { one: 'la dernière tentative a échoué', other: '# échecs de suite' }),
    system: 'Système',
    share: 'Partager ses statistiques',
    newLink: 'Nouveau lien',
    destination: 'Destination',
    addressExample: 'example.com/page',
    deletedLink: 'lien supprimé',
  },
  objects: {
    breadcrumb: 'Fil d’Ariane',
    missingHint: 'L’objet a peut-être été supprimé, ou l’adresse est incomplète.',
    onlyFor: {
      viewer: 'Réservé aux membres',
      member: 'Réservé aux membres',
      admin: 'Réservé aux admins et propriétaires',
      owner: 'Réservé aux propriétaires',
    },
    onlyForExplain: (role) =>
      `Votre rôle est ${role.toLowerCase()}. Demandez l’accès à un propriétaire de l’espace de travail.`,
  },
  zones: { title: 'Fuseau horaire' },
  mail: {
    inFolder:
      'Aucun serveur de messagerie n’est encore configuré : l’e-mail est un fichier dans ce dossier :',
    command: 'Le terminal du serveur affiche le lien. Cette commande l’affiche aussi :',
    askOperator:
      'Aucun serveur de messagerie n’est encore configuré, l’e-mail n’a donc pas été envoyé. Demandez le lien à l’opérateur de ce serveur.',
  },
})

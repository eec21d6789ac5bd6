import type { messages as english } from '../en/shared.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  actions: {
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

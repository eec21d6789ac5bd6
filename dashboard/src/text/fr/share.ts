import type { messages as english } from '../en/share.ts'

export const messages: typeof english = () => ({
  share: {
    product: 'Signpost',
    loading: 'Chargement…',
    scope: {
      workspace: 'Tous les liens',
      link: 'Un lien',
      campaign: 'Une campagne',
      folder: 'Un dossier',
    },
    updated: (when) => `à jour ${when}`,
    away: (when) => `Le serveur ne répond pas. Ces chiffres datent de ${when}.`,
    days: (first, last) => (first === last ? first : `du ${first} au ${last}`),
    value: 'Valeur',
    allClicks: 'Clics, depuis le début',
    now: 'clics',
    importedInAll: (clicks) => `${clicks} de tous les clics ont été importés d’un autre service.`,
    topLinks: 'Liens les plus cliqués',
    foot: (zone) =>
      `Les robots et les aperçus de liens ne sont pas comptés. Fuseau horaire : ${zone}.`,
    locked: {
      title: 'Ce tableau demande un mot de passe',
      intro: 'Saisissez le mot de passe reçu avec le lien.',
      label: 'Mot de passe',
      open: 'Ouvrir le tableau',
      wrong: 'Mot de passe incorrect. Réessayez.',
      failed: 'Le mot de passe n’a pas pu être vérifié. Réessayez dans un instant.',
      wait: (seconds) => `Trop de tentatives. Réessayez dans ${seconds}.`,
      cookie: 'Un cookie s’en souvient dans ce navigateur pendant 12 heures.',
    },
    gone: {
      title: 'Tableau introuvable',
      intro:
        'L’adresse est peut-être incomplète, ou le tableau n’est plus partagé. Demandez à la personne qui vous l’a envoyé.',
    },
    failed: {
      title: 'Les chiffres n’ont pas pu être chargés',
      intro: 'Le serveur ne répond pas ou est occupé. Cette page réessaie automatiquement.',
      retry: 'Réessayer',
    },
  },
})

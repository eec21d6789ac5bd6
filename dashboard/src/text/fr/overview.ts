import type { messages as english } from '../en/overview.ts'

export const messages: typeof english = ({ plural }) => ({
  created: {
    title: 'Votre lien court est prêt',
    open: 'Ouvrir',
    customize: 'Personnaliser',
    statistics: 'Statistiques',
  },
  overview: {
    title: 'Aperçu',
    note: '30 derniers jours, comparés aux 30 précédents.',
    countedUpTo: (time) => `À jour à ${time}.`,
    today: (clicks) =>
      plural(clicks, { one: '# clic aujourd’hui.', other: '# clics aujourd’hui.' }),
    firstTitle: 'Où doit mener le lien ?',
    firstExplain:
      'Collez n’importe quelle adresse. Vous obtenez un lien court et voyez chaque clic en direct.',
    firstViewer:
      'Cet espace de travail n’a pas encore de liens. Les membres peuvent en créer ; leurs statistiques apparaîtront ici.',
    makeShort: 'Raccourcir',
    noAddress: 'Saisissez une adresse web, comme example.com/page.',
    stepsTitle: 'Premiers pas',
    stepsDone: (done, all) => `${done} sur ${all}`,
    dismissSteps: 'Masquer les premiers pas',
    done: 'fait',
    steps: {
      link: { title: 'Créer un lien', explain: 'collez une adresse, obtenez un lien court' },
      click: { title: 'L’ouvrir une fois', explain: 'votre clic apparaît en quelques secondes' },
      webhook: {
        title: 'Envoyer les clics à votre serveur',
        explain: 'les webhooks sont signés et renvoyés jusqu’à réception',
      },
      team: {
        title: 'Inviter un membre',
        or: 'ou créer une clé API',
        explain: 'partagez les liens avec votre équipe, ou automatisez',
      },
    },
    needsYou: 'À traiter',
    deadLetters: (count) =>
      plural(count, {
        one: '# envoi définitivement échoué',
        other: '# envois définitivement échoués',
      }),
    deadLettersHint: 'voir les réponses et renvoyer',
    limit: (name, used, limit) => `${name} : ${used} sur ${limit}`,
    limitReached: 'limite atteinte',
    limitNear: 'proche de la limite de l’offre',
    topLinks: 'Les plus cliqués',
    topLinksHint: 'Aucun clic ces 30 derniers jours.',
    sources: 'Sources',
    recent: 'Activité récente',
    allActivity: 'Journal d’audit',
    recentLinks: 'Liens récents',
    allLinks: 'Tous les liens',
    by: (name) => `par ${name}`,
  },
})

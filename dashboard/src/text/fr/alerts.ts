import type { messages as english } from '../en/alerts.ts'

export const messages: typeof english = () => ({
  alerts: {
    title: 'Alertes',
    note: 'Vérifiées toutes les heures',
    new_: 'Nouvelle alerte',
    edit: 'Modifier l’alerte',
    create: 'Créer l’alerte',
    created: 'L’alerte est active.',
    none: 'Aucune alerte',
    noneExplain:
      'Recevez un e-mail quand les clics s’écartent fortement de l’habitude, ou quand la destination d’un lien ne répond plus.',
    wholeWorkspace: 'Tout l’espace de travail',
    actionsOf: (name) => `Actions sur l’alerte de ${name}`,
    pause: 'Suspendre',
    resume: 'Reprendre',
    paused: 'Suspendue',
    delete: 'Supprimer',
    deleted: 'L’alerte est supprimée.',
    learning: 'Clics : l’habitude est connue après deux semaines',
    notChecked: 'La destination n’a pas encore été vérifiée',
    since: (time) => `(depuis le ${time})`,
    watchClicks: 'Clics inhabituels',
    watchClicksHint:
      'Une heure avec bien plus ou bien moins de clics que la même heure des quatre dernières semaines.',
    watchDestination: 'Destination en panne',
    watchDestinationHint: 'Deux vérifications de suite sans réponse, ou avec une erreur.',
    linkHint: 'Pour surveiller un lien, ouvrez sa page et choisissez « Alerte ».',
    watchOne: 'Choisissez au moins une option.',
    recipients: 'E-mail à',
    recipientsHint: 'Adresses de membres, une par ligne. Un e-mail au début, un autre à la fin.',
    clicks: {
      usual: (count, usual) =>
        `Clics habituels : ${count} pendant la dernière heure pleine, ${usual} d’habitude`,
      high: (count, usual) =>
        `Beaucoup de clics : ${count} pendant la dernière heure pleine, ${usual} d’habitude`,
      low: (count, usual) =>
        `Peu de clics : ${count} pendant la dernière heure pleine, ${usual} d’habitude`,
    },
    destination: {
      ok: 'La destination répond',
      failing: 'La destination ne répond pas, ou répond par une erreur',
    },
  },
})

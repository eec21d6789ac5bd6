import type { messages as english } from '../en/conversions.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  conversions: {
    title: 'Conversions',
    note: 'Prospects et ventes que votre serveur signale.',
    none: 'Aucune conversion sur cette période',
    noneExplain:
      'Activez « Suivre les conversions » pour un lien. Sa destination reçoit chaque ID de clic dans sp_id ; votre serveur l’envoie à POST /v1/conversions avec la vente.',
    list: 'Conversions, les plus récentes d’abord',
    older: 'Conversions plus anciennes',
    series: 'Conversions au fil du temps',
    seriesDescribe: 'Conversions au fil du temps. Utilisez les flèches.',
    seriesNote: 'Attribuées à un lien.',
    totals: 'Totaux par devise',
    attributedOf: (attributed, all) =>
      `${formatNumber(attributed)} sur ${plural(all, { one: '# conversion', other: '# conversions' })} attribuées`,
    type: 'Type',
    anyType: 'Tous les types',
    types: { lead: 'Prospect', sale: 'Vente', custom: 'Autre' },
    customer: (id) => `client ${id}`,
    noLink: 'Aucun lien',
    deletedLink: 'lien supprimé',
    reasons: {
      sp_id: 'ID de clic signé',
      click_id: 'ID de clic',
      customer: 'Dernier clic du client',
      link: 'Lien choisi par votre serveur',
      waiting: 'En attente de son clic',
      unknown_click: 'Clic inconnu',
      old_click: 'Clic antérieur de plus de 30 jours',
      later_click: 'Clic postérieur',
      no_click: 'Ni clic ni lien indiqué',
      too_many_waiting: 'Trop de conversions attendaient leur clic',
    },
  },
})

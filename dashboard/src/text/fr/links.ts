import type { messages as english } from '../en/links.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  linkList: {
    contains: 'Contient',
    moreThan: (count) => `plus de ${formatNumber(count)} liens`,
    anyTag: 'Tous les tags',
    anyFolder: 'Tous les dossiers',
    anyCampaign: 'Toutes les campagnes',
    anyDomain: 'Tous les domaines',
    withCount: (name, count) => `${name} (${formatNumber(count)})`,
    showArchived: 'Inclure les archivés',
    clearFilters: 'Effacer les filtres',
    export: 'Exporter en CSV',
    import: 'Importer',
    organize: 'Dossiers et tags',
    more: 'Plus d’actions',
    columns: {
      name: 'Lien',
      destination: 'Destination',
      tags: 'Tags',
      periodClicks: '30 jours',
      conversions: 'Conversions',
      lastClickedAt: 'Dernier clic',
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: '# conversion', other: '# conversions' })} en ${days} jours`,
    sortBy: (column) => `Trier par ${column}`,
    select: (slug) => `Sélectionner ${slug}`,
    selected: (count) => plural(count, { one: '# sélectionné', other: '# sélectionnés' }),
    allMatching: (count) => `Sélectionner les ${count}`,
    clearSelection: 'Effacer la sélection',
    tag: 'Tags',
    move: 'Déplacer',
    archive: 'Archiver',
    delete: 'Supprimer',
    tagTitle: (count) => plural(count, { one: 'Tags de # lien', other: 'Tags de # liens' }),
    addTags: 'Ajouter',
    removeTags: 'Retirer',
    tagMode: 'Action',
    tagModes: {
      change: 'Ajouter et retirer des tags, garder les autres',
      replace: 'Remplacer tous les tags',
    },
    newTags: 'Nouveaux tags',
    newTagsHint: 'Séparés par des virgules. Laissez vide pour retirer tous les tags.',
    apply: 'Appliquer',
    moveTitle: (count) => plural(count, { one: 'Déplacer # lien', other: 'Déplacer # liens' }),
    unchanged: 'Aucun changement',
    changed: (count) => plural(count, { one: '# lien modifié.', other: '# liens modifiés.' }),
    archived: (count) =>
      plural(count, {
        one: '# lien archivé. Il redirige toujours.',
        other: '# liens archivés. Ils redirigent toujours.',
      }),
    deleted: (count) => plural(count, { one: '# lien supprimé.', other: '# liens supprimés.' }),
    failed: (count, message) =>
      `${plural(count, { one: '# lien n’a pas pu être modifié', other: '# liens n’ont pas pu être modifiés' })} : ${message}`,
  },
  groups: {
    title: 'Dossiers et tags',
    kinds: { folders: 'Dossiers', tags: 'Tags' },
    explain: {
      folders: 'Un lien peut être dans un dossier.',
      tags: 'Un lien peut avoir plusieurs tags. Un tag existe tant qu’un lien le porte.',
    },
    search: 'Rechercher par nom',
    none: { folders: 'Aucun dossier', tags: 'Aucun tag' },
    more: 'Afficher plus',
    newFolder: 'Nouveau dossier',
    create: 'Créer',
    rename: (name) => `Renommer ${name}`,
    delete: (name) => `Supprimer ${name}`,
    newName: (name) => `Nouveau nom de ${name}`,
    mergeHint: 'Saisissez le nom d’un autre tag pour fusionner les deux.',
    deleteTitle: (name) => `Supprimer ${name} ?`,
    deleteExplain: {
      folders: (count) =>
        plural(count, {
          one: 'Son # lien reste, sans dossier.',
          other: 'Ses # liens restent, sans dossier.',
        }),
      tags: (count) =>
        plural(count, {
          one: 'Il est retiré de # lien, qui reste.',
          other: 'Il est retiré de # liens, qui restent.',
        }),
    },
  },
})

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
      status: 'Statut',
      tags: 'Tags',
      periodClicks: '30 jours',
      clicks: 'Depuis le début',
      conversions: 'Conversions',
      lastClickedAt: 'Dernier clic',
      createdAt: 'Création',
    },
    columnNames: {
      status: 'Statut',
      tags: 'Tags',
      periodClicks: 'Clics, 30 jours',
      clicks: 'Clics, depuis le début',
      conversions: 'Conversions',
      lastClickedAt: 'Dernier clic',
      createdAt: 'Création',
    },
    deleteTitle: (count) =>
      plural(count, {
        one: 'Supprimer # lien ?',
        many: 'Supprimer # de liens ?',
        other: 'Supprimer # liens ?',
      }),
    deleteExplain:
      'Les visiteurs verront « Introuvable », et les QR codes ne fonctionneront plus. Vous pouvez annuler pendant une heure.',
    chooseColumns: 'Colonnes',
    menuOf: (slug) => `Actions pour ${slug}`,
    openStatistics: 'Statistiques',
    showQr: 'QR code',
    copyLink: 'Copier le lien court',
    badges: {
      password: 'Mot de passe',
      starts: (time) => `débute ${time}`,
      expires: (time) => `expire ${time}`,
      maxClicks: (count) => `limite de clics : ${count}`,
      rules: (count) => plural(count, { one: '# règle', other: '# règles' }),
      variants: (count) =>
        plural(count, { one: 'Test A/B à # variante', other: 'Test A/B à # variantes' }),
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: '# conversion', other: '# conversions' })} en ${days} jours`,
    sortBy: (column) => `Trier par ${column}`,
    select: (slug) => `Sélectionner ${slug}`,
    selected: (count) => plural(count, { one: '# sélectionné', other: '# sélectionnés' }),
    allMatching: (count) => `Sélectionner les ${count}`,
    clearSelection: 'Effacer la sélection',
    qrCodesOf: (count) =>
      plural(count, {
        one: 'QR code de # lien',
        many: 'QR codes de # de liens',
        other: 'QR codes de # liens',
      }),
    downloadZip: 'Télécharger le ZIP',
    format: 'Format',
    archive: 'Archiver',
    delete: 'Supprimer',
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
  views: {
    title: 'Vues',
    none: 'Tous les liens',
    save: 'Enregistrer cette vue',
    saved: 'Vue enregistrée.',
    deleted: 'Vue supprimée.',
    edit: (name) => `Renommer ou partager ${name}`,
    delete: (name) => `Supprimer ${name}`,
    name: 'Nom',
    noName: 'Saisissez un nom.',
    share: 'Partager avec l’espace de travail',
    shareHint: 'Tout l’espace de travail la voit, et les membres peuvent la modifier.',
  },
  bulk: {
    title: (count) =>
      plural(count, {
        one: 'Modifier # lien',
        many: 'Modifier # de liens',
        other: 'Modifier # liens',
      }),
    apply: (count) =>
      plural(count, {
        one: 'Appliquer à # lien',
        many: 'Appliquer à # de liens',
        other: 'Appliquer à # liens',
      }),
    tags: 'Tags',
    tagModes: { change: 'Ajouter ou retirer des tags', replace: 'Remplacer tous les tags' },
    addTags: 'Ajouter des tags',
    removeTags: 'Retirer des tags',
    newTags: 'Nouveaux tags',
    newTagsHint: 'Laissez vide pour retirer tous les tags.',
    groupModes: { keep: 'Aucun changement', set: 'Définir', clear: 'Retirer' },
    statusModes: {
      keep: 'Aucun changement',
      active: 'Actif',
      paused: 'En pause',
      archived: 'Archivé',
    },
    utmHint: 'Les champs vides gardent leur valeur.',
    preview: 'Aperçu',
    nothing: 'Choisissez ce qui doit changer. Un aperçu s’affichera ici.',
    changes: (changed, count) => {
      const links = plural(changed, {
        one: 'Modifie # lien',
        many: 'Modifie # de liens',
        other: 'Modifie # liens',
      })
      return changed === count ? links : `${links} sur ${formatNumber(count)}`
    },
    changesAll: (count) =>
      plural(count, {
        one: 'Modifie # lien au plus',
        many: 'Modifie # de liens au plus',
        other: 'Modifie # liens au plus',
      }),
    more: (count) =>
      plural(count, { one: 'et # autre', many: 'et # d’autres', other: 'et # autres' }),
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

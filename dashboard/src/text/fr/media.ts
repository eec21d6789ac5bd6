import type { messages as english } from '../en/media.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  media: {
    title: 'Images',
    count: (count, megabytes) =>
      `${plural(count, { one: '# image', other: '# images' })}, ${megabytes} Mo`,
    storage: (used, limit) => `${used} sur ${formatNumber(limit)} Mo utilisés.`,
    storageLabel: 'Stockage',
    upload: 'Téléverser',
    uploads: 'Téléversements',
    dismiss: (name) => `Masquer ${name}`,
    progressOf: (name) => `Progression de ${name}`,
    tooLarge: 'Le fichier dépasse 5 Mio.',
    drop: 'Déposez ici des fichiers PNG, JPEG, GIF, WebP ou AVIF de 5 Mio au plus.',
    types: 'Fichiers PNG, JPEG, GIF, WebP ou AVIF de 5 Mio au plus.',
    search: 'Rechercher des images par nom',
    none: 'Aucune image pour l’instant',
    noneExplain: 'Téléversez des images pour les aperçus sociaux, les QR codes et les pages bio.',
    noneForViewers:
      'Les membres peuvent téléverser des images pour les aperçus sociaux, les QR codes et les pages bio.',
    noneFound: 'Aucune image correspondante',
    facts: (width, height, kilobytes) =>
      `${width} × ${height}, ${formatNumber(Math.ceil(kilobytes))} ko`,
    animated: 'animée',
    unused: 'Non utilisée',
    usedBy: 'Utilisée par',
    andMore: (count) => plural(count, { one: '# autre', other: '# autres' }),
    download: (name) => `Télécharger ${name}`,
    delete: 'Supprimer',
    delete_: (name) => `Supprimer ${name}`,
    deleteAnyway: 'Supprimer partout',
    deleteTitle: (name) => `Supprimer ${name} ?`,
    deleteUnused: 'Elle n’est pas utilisée.',
    deleteUsed: (names) => `Elle est utilisée par ${names}. La supprimer l’y retire aussitôt.`,
    deleted: (name) => `${name} supprimée.`,
    choose: 'Choisir une image',
    chooseOther: 'Choisir une autre image',
    remove: 'Retirer',
    chosenFor: (label) => `${label} : image choisie`,
  },
})

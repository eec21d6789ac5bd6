import type { messages as english } from '../en/tools.ts'

export const messages: typeof english = () => ({
  tools: {
    bookmarkletTitle: 'Bookmarklet',
    bookmarkletExplain:
      'Faites glisser le bouton dans la barre de favoris de votre navigateur. Sur n’importe quelle page, il ouvre le formulaire d’un nouveau lien vers cette page.',
    bookmarklet: 'Raccourcir avec Signpost',
    shareXTitle: 'ShareX',
    shareXExplain: (place) =>
      `Ouvrez le fichier dans un éditeur de texte et remplacez ${place} par une clé API qui a la portée links:write. Ouvrez-le ensuite avec ShareX, puis choisissez-le comme URL shortener sous Destinations.`,
    shareXDownload: 'Télécharger signpost.sxcu',
    keyPlace: 'CLÉ_API',
    keys: 'Clés API',
    appTitle: 'Application',
    appExplain:
      'Installez le tableau de bord depuis le menu de votre navigateur : « Installer l’application » ou « Ajouter à l’écran d’accueil ». Sous Android, il apparaît ensuite dans le menu de partage des autres applications, et une page partagée ouvre le formulaire d’un nouveau lien.',
  },
})

import type { messages as english } from '../en/settings.ts'

export const messages: typeof english = () => ({
  settings: {
    title: 'Paramètres',
    general: 'Espace de travail',
    name: 'Nom',
    id: 'ID',
    idHint: 'Les requêtes API l’envoient dans x-signpost-workspace.',
    copyId: 'Copier l’ID',
    timezone: 'Fuseau horaire',
    timezoneHint: 'Pour les membres qui n’ont pas choisi le leur.',
    privacySignals: 'Respecter les signaux de confidentialité',
    privacySignalsHint:
      'Les navigateurs qui refusent le suivi (Sec-GPC, DNT) comptent comme clics, mais pas comme visiteurs.',
    brand: 'Marque',
    brandExplain:
      'Sur les domaines propres à l’espace de travail, les visiteurs la voient sur des pages comme celle d’un lien expiré ou d’un mot de passe. Le domaine commun ne l’affiche pas.',
    saveBrand: 'Enregistrer la marque',
    logo: 'Logo',
    brandColor: 'Couleur',
    brandColorHint: 'Par exemple #0b5e82, pour les boutons et les liens.',
    saved: 'Enregistré.',
    plan: 'Offre',
    role: 'Votre rôle',
    danger: 'Zone de danger',
    deleteTitle: (name) => `Supprimer ${name} ?`,
    delete: 'Supprimer l’espace de travail',
    deleteExplain:
      'Ses liens cessent de fonctionner immédiatement. Liens, clics, webhooks, clés et journaux sont supprimés définitivement.',
    deleted: (name) => `${name} supprimé.`,
  },
})

import type { messages as english } from '../en/states.ts'

export const messages: typeof english = () => ({
  states: {
    limits: {
      links_monthly: 'Nouveaux liens ce mois-ci',
      clicks_monthly: 'Clics ce mois-ci',
      domains: 'Domaines',
      members: 'Membres',
      webhook_endpoints: 'Points de terminaison',
      api_requests_monthly: 'Requêtes API ce mois-ci',
      api_keys: 'Clés API',
      campaigns: 'Campagnes',
      bio_pages: 'Pages bio',
      utm_templates: 'Modèles UTM',
      media_storage_mb: 'Stockage d’images en Mo',
      analytics_retention_days: 'Jours de statistiques',
    },
    domainStatuses: {
      pending: 'En attente des enregistrements',
      verified: 'Vérifié',
      misconfigured: 'Enregistrement manquant',
      failed: 'Non vérifié',
    },
  },
})

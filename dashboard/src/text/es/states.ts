import type { messages as english } from '../en/states.ts'

export const messages: typeof english = () => ({
  states: {
    limits: {
      links_monthly: 'Enlaces nuevos este mes',
      clicks_monthly: 'Clics este mes',
      domains: 'Dominios',
      members: 'Miembros',
      webhook_endpoints: 'Endpoints de webhooks',
      api_requests_monthly: 'Solicitudes de API este mes',
      api_keys: 'Claves de API',
      campaigns: 'Campañas',
      bio_pages: 'Páginas bio',
      utm_templates: 'Plantillas UTM',
      media_storage_mb: 'Almacenamiento de imágenes en MB',
      analytics_retention_days: 'Días de estadísticas',
    },
    domainStatuses: {
      pending: 'A la espera de registros',
      verified: 'Verificado',
      misconfigured: 'Falta un registro',
      failed: 'No verificado',
    },
  },
})

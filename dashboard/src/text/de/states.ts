import type { messages as english } from '../en/states.ts'

export const messages: typeof english = () => ({
  states: {
    limits: {
      links_monthly: 'Neue Links diesen Monat',
      clicks_monthly: 'Klicks diesen Monat',
      domains: 'Domains',
      members: 'Mitglieder',
      webhook_endpoints: 'Webhook-Endpunkte',
      api_requests_monthly: 'API-Anfragen diesen Monat',
      api_keys: 'API-Schlüssel',
      campaigns: 'Kampagnen',
      bio_pages: 'Bio-Seiten',
      utm_templates: 'UTM-Vorlagen',
      media_storage_mb: 'Speicher für Bilder in MB',
      analytics_retention_days: 'Tage Auswertung',
    },
    domainStatuses: {
      pending: 'Wartet auf Einträge',
      verified: 'Bestätigt',
      misconfigured: 'Eintrag fehlt',
      failed: 'Nicht bestätigt',
    },
  },
})

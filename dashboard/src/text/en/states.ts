/** Names that the start of a workspace shows beside the pages which they belong to. */
export const messages = () => ({
  states: {
    limits: {
      links_monthly: 'New links this month',
      clicks_monthly: 'Clicks this month',
      domains: 'Domains',
      members: 'Members',
      webhook_endpoints: 'Webhook endpoints',
      api_requests_monthly: 'API requests this month',
      api_keys: 'API keys',
      campaigns: 'Campaigns',
      bio_pages: 'Bio pages',
      utm_templates: 'UTM templates',
      media_storage_mb: 'Media storage in MB',
      analytics_retention_days: 'Days of analytics',
    },
    domainStatuses: {
      pending: 'Waiting for records',
      verified: 'Verified',
      misconfigured: 'Record missing',
      failed: 'Not verified',
    },
  },
})

import type { messages as english } from '../en/states.ts'

export const messages: typeof english = () => ({
  states: {
    limits: {
      links_monthly: '今月の新規リンク',
      clicks_monthly: '今月のクリック',
      domains: 'ドメイン',
      members: 'メンバー',
      webhook_endpoints: 'Webhookエンドポイント',
      api_requests_monthly: '今月のAPIリクエスト',
      api_keys: 'APIキー',
      campaigns: 'キャンペーン',
      bio_pages: 'プロフィールページ',
      utm_templates: 'UTMテンプレート',
      media_storage_mb: 'メディアの容量（MB）',
      analytics_retention_days: 'アナリティクスの保存日数',
    },
    domainStatuses: {
      pending: 'レコード待ち',
      verified: '確認済み',
      misconfigured: 'レコードなし',
      failed: '未確認',
    },
  },
})

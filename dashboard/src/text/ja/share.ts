import type { messages as english } from '../en/share.ts'

export const messages: typeof english = () => ({
  share: {
    product: 'Signpost',
    loading: '読み込み中…',
    scope: {
      workspace: 'すべてのリンク',
      link: '1件のリンク',
      campaign: '1件のキャンペーン',
      folder: '1件のフォルダー',
    },
    updated: (when) => `最終更新：${when}`,
    away: (when) => `サーバーが応答していません。表示中の数値は${when}時点のものです。`,
    days: (first, last) => (first === last ? first : `${first}〜${last}`),
    value: '金額',
    allClicks: 'クリック（全期間）',
    now: 'クリック',
    importedInAll: (clicks) =>
      `全クリックのうち${clicks}件は、他のサービスからインポートされたものです。`,
    topLinks: '上位のリンク',
    foot: (zone) => `クローラーとリンクプレビューは計測に含まれません。タイムゾーン: ${zone}`,
    locked: {
      title: 'このダッシュボードにはパスワードが必要です',
      intro: 'リンクと一緒に受け取ったパスワードを入力してください。',
      label: 'パスワード',
      open: 'ダッシュボードを開く',
      wrong: 'パスワードが違います。もう一度お試しください。',
      failed: 'パスワードを確認できませんでした。しばらくしてからもう一度お試しください。',
      wait: (seconds) => `試行回数が多すぎます。${seconds}後にもう一度お試しください。`,
      cookie: 'このブラウザでは、Cookieにより12時間保持されます。',
    },
    gone: {
      title: 'ダッシュボードが見つかりません',
      intro: 'アドレスが不完全か、ダッシュボードの共有が終了しています。送信者にご確認ください。',
    },
    failed: {
      title: '数値を読み込めませんでした',
      intro: 'サーバーが応答していないか、混み合っています。このページは自動的に再試行します。',
      retry: '再試行',
    },
  },
})

import type { messages as english } from '../en/overview.ts'

export const messages: typeof english = ({ plural }) => ({
  created: {
    title: '短縮リンクができました',
    open: '開く',
    customize: 'カスタマイズ',
    statistics: '統計',
  },
  overview: {
    title: '概要',
    note: '過去30日間を、その前の30日間と比較しています。',
    countedUpTo: (time) => `最終更新：${time}`,
    today: (clicks) => plural(clicks, { other: '今日はこれまでに#クリックです。' }),
    firstTitle: 'リンク先はどこですか？',
    firstExplain:
      'アドレスを貼り付けてください。短縮リンクが作成され、クリックをリアルタイムで確認できます。',
    firstViewer:
      'このワークスペースにはまだリンクがありません。メンバーがリンクを作成すると、統計がここに表示されます。',
    makeShort: '短縮',
    noAddress: 'example.com/page のようなウェブアドレスを入力してください。',
    stepsTitle: '最初のステップ',
    stepsDone: (done, all) => `${all}件中${done}件完了`,
    dismissSteps: '最初のステップを非表示',
    done: '完了',
    steps: {
      link: { title: 'リンクを作成', explain: 'アドレスを貼り付けて、短縮リンクを取得' },
      click: { title: 'リンクを開く', explain: 'クリックは数秒で表示されます' },
      webhook: {
        title: 'クリックを自分のサーバーに送信',
        explain: 'Webhookは署名付きで、届くまで再試行されます',
      },
      team: {
        title: 'メンバーを招待',
        or: 'またはAPIキーを作成',
        explain: 'リンクをチームで共有、または自動化',
      },
    },
    needsYou: '要対応',
    deadLetters: (count) => plural(count, { other: '配信不能 #件' }),
    deadLettersHint: 'レスポンスを確認して再試行',
    limit: (name, used, limit) => `${name}：${used} / ${limit}`,
    limitReached: '上限に到達',
    limitNear: 'プランの上限に近づいています',
    topLinks: 'クリックの多いリンク',
    topLinksHint: '過去30日間のクリックはありません。',
    sources: '流入元',
    recent: '最近のアクティビティ',
    allActivity: '監査ログ',
    recentLinks: '最新のリンク',
    allLinks: 'すべてのリンク',
    by: (name) => `${name}による操作`,
  },
})

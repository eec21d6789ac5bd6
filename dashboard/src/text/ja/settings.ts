import type { messages as english } from '../en/settings.ts'

export const messages: typeof english = () => ({
  settings: {
    title: '設定',
    general: 'ワークスペース',
    name: '名前',
    id: 'ID',
    idHint: 'APIリクエストでは x-signpost-workspace として送信します。',
    copyId: 'IDをコピー',
    timezone: 'タイムゾーン',
    timezoneHint: '自分のタイムゾーンを選択していないメンバーに適用されます。',
    privacySignals: 'プライバシーシグナルを尊重する',
    privacySignalsHint:
      'トラッキングを拒否するブラウザ（Sec-GPC、DNT）は、クリックとして計測しますが、訪問者としては計測しません。',
    brand: 'ブランド',
    brandExplain:
      'ワークスペース独自のドメインで、期限切れのリンクやパスワード入力などのページに表示されます。共有ドメインには表示されません。',
    saveBrand: 'ブランドを保存',
    logo: 'ロゴ',
    brandColor: '色',
    brandColorHint: '例：#0b5e82。ボタンとリンクに使われます。',
    saved: '保存しました。',
    plan: 'プラン',
    role: '自分の役割',
    danger: '危険な操作',
    deleteTitle: (name) => `「${name}」を削除しますか？`,
    delete: 'ワークスペースを削除',
    deleteExplain:
      'リンクはすぐに使えなくなります。リンク、クリック、Webhook、キー、ログは完全に削除されます。',
    deleted: (name) => `「${name}」を削除しました。`,
  },
})

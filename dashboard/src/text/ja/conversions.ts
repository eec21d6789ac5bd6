import type { messages as english } from '../en/conversions.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  conversions: {
    title: 'コンバージョン',
    note: 'お使いのサーバーから報告されたリードと売上です。',
    none: 'この期間のコンバージョンはありません',
    noneExplain:
      'リンクの「コンバージョンを計測」をオンにしてください。リンク先には各クリックのIDがsp_idとして渡されます。サーバーから、そのIDを売上とともにPOST /v1/conversionsに送信します。',
    list: 'コンバージョン（新しい順）',
    older: '以前のコンバージョン',
    series: 'コンバージョンの推移',
    seriesDescribe: 'コンバージョンの推移です。矢印キーで操作できます。',
    seriesNote: 'リンクに紐づいたコンバージョンです。',
    totals: '通貨別の合計',
    attributedOf: (attributed, all) =>
      plural(all, {
        other: `コンバージョン#件中${formatNumber(attributed)}件がリンクに紐づいています`,
      }),
    type: '種類',
    anyType: 'すべての種類',
    types: { lead: 'リード', sale: '売上', custom: 'その他' },
    customer: (id) => `顧客 ${id}`,
    noLink: 'リンクなし',
    deletedLink: '削除済みのリンク',
    reasons: {
      sp_id: '署名付きクリックID',
      click_id: 'クリックID',
      customer: '顧客の最後のクリック',
      link: 'サーバーが指定したリンク',
      waiting: 'クリックを待機中',
      unknown_click: '不明なクリック',
      old_click: '30日より前のクリック',
      later_click: 'コンバージョン後のクリック',
      no_click: 'クリックまたはリンクの指定なし',
      too_many_waiting: 'クリック待ちのコンバージョンが多すぎました',
    },
  },
})

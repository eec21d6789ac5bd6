import type { messages as english } from '../en/media.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  media: {
    title: '画像',
    count: (count, megabytes) => `${plural(count, { other: '#件の画像' })}、${megabytes} MB`,
    storage: (used, limit) => `${formatNumber(limit)} MB中${used} MBを使用しています。`,
    storageLabel: 'ストレージ',
    upload: 'アップロード',
    uploads: 'アップロード状況',
    dismiss: (name) => `「${name}」を閉じる`,
    progressOf: (name) => `「${name}」の進捗`,
    tooLarge: 'ファイルが5 MiBを超えています。',
    drop: '5 MiB以下のPNG、JPEG、GIF、WebP、AVIFファイルをここにドロップしてください。',
    types: '5 MiB以下のPNG、JPEG、GIF、WebP、AVIFファイル。',
    search: '画像を名前で検索',
    none: '画像はまだありません',
    noneExplain:
      'ソーシャルプレビュー、QRコード、プロフィールページに使う画像をアップロードできます。',
    noneForViewers:
      'メンバーは、ソーシャルプレビュー、QRコード、プロフィールページに使う画像をアップロードできます。',
    noneFound: '一致する画像はありません',
    facts: (width, height, kilobytes) =>
      `${width} × ${height}、${formatNumber(Math.ceil(kilobytes))} kB`,
    animated: 'アニメーション',
    unused: '未使用',
    usedBy: '使用先:',
    andMore: (count) => `ほか${formatNumber(count)}件`,
    download: (name) => `「${name}」をダウンロード`,
    delete: '削除',
    delete_: (name) => `「${name}」を削除`,
    deleteAnyway: 'すべての使用先から削除',
    deleteTitle: (name) => `「${name}」を削除しますか？`,
    deleteUnused: 'この画像は使われていません。',
    deleteUsed: (names) =>
      `この画像は次の場所で使われています: ${names}。削除すると、そこからもただちに消えます。`,
    deleted: (name) => `「${name}」を削除しました。`,
    choose: '画像を選択',
    chooseOther: '別の画像を選択',
    remove: '画像を外す',
    chosenFor: (label) => `${label}: 選択中の画像`,
  },
})

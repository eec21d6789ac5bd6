import type { messages as english } from '../en/shared.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  actions: {
    retry: '再試行',
    close: '閉じる',
    cancel: 'キャンセル',
    save: '保存',
    edit: '編集',
    copy: 'コピー',
    copied: 'コピーしました',
    undo: '元に戻す',
    more: 'さらに表示',
    back: '戻る',
    done: '完了',
    download: 'ダウンロード',
    next: '次へ',
    search: '検索',
    chooseColor: (name) => `色を選択：${name}`,
    chosen: '選択中',
    loading: '読み込み中…',
    none: 'なし',
    removeChoice: (name) => `「${name}」を外す`,
    clearChoice: 'クリア',
    showChoices: '選択肢を表示',
    createChoice: (name) => `「${name}」を作成`,
    typeToConfirm: (word) => `確認のため ${word} と入力してください`,
    nothingFound: '見つかりませんでした。',
    undone: (count) => plural(count, { other: '#件のリンクを復元しました。' }),
    undoneBut: (count, skipped) =>
      `${plural(count, { other: '#件のリンクを復元しました' })}。その後変更された${formatNumber(skipped)}件はスキップしました。`,
    removeFilter: (name) => `フィルター「${name}」を外す`,
    countedUpTo: '最終更新',
  },
  errors: {
    unexpected:
      '問題が発生しました。ページを再読み込みしてください。繰り返し発生する場合は、このサーバーの運営者にご連絡ください。',
    noPage: 'ページが見つかりません',
    goHome: '概要に移動',
    retryIn: (seconds) => plural(seconds, { other: '#秒後にもう一度お試しください。' }),
    notLoaded: 'ページの一部を読み込めませんでした。インターネット接続を確認してください。',
    away: 'サーバーが応答していません。入力した内容は失われません。サーバーが復旧すると、ページは自動的に再開します。',
  },
  conflict: {
    isNow: '現在:',
    isYours: '自分の変更:',
    keepMine: '自分の変更を使用',
    takeTheirs: '相手の変更を使用',
  },
  names: {
    roles: { viewer: '閲覧者', member: 'メンバー', admin: '管理者', owner: 'オーナー' },
    failedInRow: (count) =>
      count === 1 ? '直近の試行が失敗' : `${formatNumber(count)}回連続で失敗`,
    system: 'システム',
    share: '統計を共有',
    newLink: '新しいリンク',
    destination: 'リンク先',
    addressExample: 'example.com/page',
    deletedLink: '削除済みのリンク',
  },
  objects: {
    breadcrumb: 'パンくずリスト',
    missingHint: '削除されたか、アドレスが不完全な可能性があります。',
    onlyFor: {
      viewer: 'メンバー限定',
      member: 'メンバー限定',
      admin: '管理者とオーナー限定',
      owner: 'オーナー限定',
    },
    onlyForExplain: (role) =>
      `現在の役割は「${role}」です。アクセスが必要な場合は、ワークスペースのオーナーに依頼してください。`,
  },
  zones: { title: 'タイムゾーン' },
  mail: {
    inFolder:
      'メールサーバーがまだ設定されていないため、メールは次のフォルダーにファイルとして保存されています:',
    command: 'リンクはサーバーのターミナルに表示されます。次のコマンドでも表示できます:',
    askOperator:
      'メールサーバーがまだ設定されていないため、メールは送信されませんでした。リンクについては、このサーバーの運営者にお問い合わせください。',
  },
})

import type { messages as english } from '../en/tools.ts'

export const messages: typeof english = () => ({
  tools: {
    bookmarkletTitle: 'ブックマークレット',
    bookmarkletExplain:
      'ボタンをブラウザのブックマークバーにドラッグします。どのページでも、そのページへの新しいリンクのフォームが開きます。',
    bookmarklet: 'Signpostで短縮',
    shareXTitle: 'ShareX',
    shareXExplain: (place) =>
      `ファイルをテキストエディタで開き、${place}をスコープlinks:writeを持つAPIキーに置き換えます。次にShareXで開き、「Destinations」で「URL shortener」として選びます。`,
    shareXDownload: 'signpost.sxcuをダウンロード',
    keyPlace: 'APIキー',
    keys: 'APIキー',
    appTitle: 'アプリ',
    appExplain:
      'ブラウザのメニューの「アプリをインストール」または「ホーム画面に追加」から、ダッシュボードをインストールできます。Androidではほかのアプリの共有メニューに表示され、共有したページへの新しいリンクのフォームが開きます。',
  },
})

import type { messages as english } from '../en/apps.ts'

export const messages: typeof english = ({ plural }) => ({
  apps: {
    title: '接続済みのアプリ',
    count: (count) => plural(count, { other: '#件のアプリ' }),
    none: 'Claudeやコマンドラインなどのアプリは、許可するとここに表示されます。',
    device: 'デバイス',
    allowTitle: (name) => `「${name}」を許可しますか？`,
    signedInAs: (email) => `${email} としてサインインしています。`,
    describedBy: (host) => `このアプリは ${host} のものです。`,
    isUnknown: 'この名前は誰でも使えます。アプリの戻り先を確認してください。',
    returnsTo: (place) => `許可すると、ブラウザーは ${place} に戻ります。`,
    returnsHere: '許可すると、このコンピューターのプログラムがアクセスできるようになります。',
    checkDevice:
      'ご自身でサインインを開始し、ターミナルにこのコードが表示されている場合にのみ許可してください。',
    workspace: 'ワークスペース',
    allow: '許可',
    deny: '拒否',
    onlyAdmins: 'アプリを許可できるのは、ワークスペースの管理者とオーナーだけです。',
    codeTitle: 'デバイスでサインイン',
    code: 'コード',
    codeHint: 'ターミナルに表示されているコードです。',
    goOn: '続ける',
    allowed: '許可しました。ターミナルに戻ってください。',
    denied: '拒否しました。このページは閉じてかまいません。',
    returning: 'ブラウザーはアプリに戻ります。',
  },
})

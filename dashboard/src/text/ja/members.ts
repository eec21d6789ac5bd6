import type { messages as english } from '../en/members.ts'

export const messages: typeof english = ({ plural }) => ({
  members: {
    title: 'メンバー',
    count: (count) => plural(count, { other: '#人のメンバー' }),
    you: 'あなた',
    roleOf: (name) => `${name}さんの役割`,
    roleHints: {
      viewer: 'リンクと統計を閲覧できます',
      member: 'さらに、リンクとキャンペーンを作成・変更できます',
      admin: 'さらに、Webhook、キー、メンバー、ログを管理できます',
      owner: 'さらに、請求の管理とワークスペースの削除ができます',
    },
    roleChanged: (name, role) => `${name}さんの役割を「${role}」に変更しました。`,
    joined: '参加日',
    lastActive: '最終アクセス',
    neverActive: 'アクセスなし',
    twoFactor: '2要素認証あり',
    noTwoFactor: '2要素認証なし',
    actionsOf: (name) => `${name}さんの操作メニュー`,
    remove: '削除',
    removeTitle: (name) => `${name}さんをワークスペースから削除しますか？`,
    removeExplain:
      'このワークスペースでのAPIキーは、ただちに使えなくなります。作成したものは残ります。',
    removed: (name) => `${name}さんを削除しました。`,
    leave: 'ワークスペースから退出',
    leaveTitle: (name) => `「${name}」から退出しますか？`,
    leaveExplain:
      'このワークスペースでのあなたのAPIキーは、ただちに使えなくなります。再び参加するには、新しい招待が必要です。',
    invite: '招待',
    inviteTitle: 'メンバーを招待',
    email: 'メールアドレス',
    role: '役割',
    send: '招待を送信',
    sent: (email) => `${email} を招待しました。`,
    notMailed: (email) =>
      `${email} を招待しましたが、メールは送信されませんでした。過去1時間にこのアドレスへ送られたメールが多すぎます。しばらくしてからもう一度お試しください。`,
    accountRequired:
      'このサーバーでは新規登録を受け付けていません。アカウントのない人は、先に運営者に作成を依頼する必要があります。',
    invitations: '招待',
    invitationStatuses: {
      pending: '保留中',
      accepted: '承諾済み',
      rejected: '辞退',
      canceled: 'キャンセル済み',
      expired: '期限切れ',
    },
    noInvitations: '保留中の招待はありません。',
    expires: '有効期限',
    resend: '再送信',
    getLink: 'リンクを取得',
    linkTitle: '招待リンク',
    linkNote: (email) =>
      `リンクを自分で共有することもできます。このリンクで参加できるのは、メールでアドレスを確認した ${email} のみです。`,
    makeLink: 'リンクを作成',
    copyLink: 'リンクをコピー',
    cancelInvitation: '招待をキャンセル',
    canceled: (email) => `${email} への招待をキャンセルしました。`,
    invitedAgain: (email) => `${email} をもう一度招待しました。`,
    actionsOfInvitation: (email) => `${email} への招待の操作`,
  },
})

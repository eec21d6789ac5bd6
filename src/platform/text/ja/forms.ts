import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'パスワード',
  signIn: 'サインイン',
  openDashboard: 'ダッシュボードを開く',
  gone: {
    title: 'このリンクはもう使えません',
    text: 'リンクの期限が切れたか、すでに使われたか、新しいものに置き換えられました。新しいリンクを依頼してください。',
  },
  verify: {
    title: 'メールアドレスの確認',
    here: (email) => `このブラウザで ${email} を使って登録されました。`,
    elsewhere: (email) =>
      `${email} での登録時に決めたパスワードを入力してください。お心当たりがない場合は、このページを閉じてください。`,
    button: '確認してサインイン',
    readyTitle: 'アドレスが確認されました',
    notJoined: 'アカウントは使えますが、招待されたワークスペースにはまだ参加していません。',
  },
  reset: {
    title: '新しいパスワードの設定',
    text: (email) => `${email} のパスワードです。ほかのセッションはすべてサインアウトされます。`,
    label: '新しいパスワード（10 文字以上）',
    button: 'パスワードを保存',
    done: {
      title: 'パスワードを変更しました',
      text: 'すべてのセッションがサインアウトされました。新しいパスワードでサインインしてください。',
    },
  },
  change: {
    approveTitle: '新しいアドレスの承認',
    confirmTitle: '新しいアドレスの確認',
    facts: (name, email, newEmail) =>
      `${name}（${email}）のアカウントは、両方のアドレスで確認されると ${newEmail} に変わります。`,
    warning:
      'ご自分のアカウントでない場合は、このページを閉じてください。確認すると、あなたのアドレスがそのアカウントに渡ります。',
    password: 'そのアカウントのパスワードを入力するか、先にこのブラウザでサインインしてください。',
    approve: '承認',
    confirm: '確認',
    done: '確認しました',
    changed: 'アカウントのアドレスが新しくなりました。',
    almost: 'あと少しです。もう一方のアドレスに届いたメールでも確認してください。',
  },
  code: {
    title: 'コードの入力',
    text: '認証アプリの 6 桁の数字、またはバックアップコードを入力してください。',
    label: 'コード',
  },
  invitation: {
    title: (workspace) => `${workspace} への招待`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} さんから、ワークスペース ${workspace} に${role}として招待されています。宛先は ${email}、期限は ${day} です。`,
    formerMember: '以前のメンバー',
    accept: '承諾',
    decline: '辞退',
    otherAccount: (email) => `${email} でサインインしています。この招待は別のアドレス宛てです。`,
    toAnswer: (email) => `回答するには ${email} でサインインしてください。`,
    toAnswerOrSignUp: (email) =>
      `回答するには ${email} でサインインしてください。アカウントがない場合は登録してください。`,
    provider: (name) => `${name} で続ける`,
    signUp: '登録して参加',
    unknown: {
      title: '招待が見つかりません',
      text: '新しいメールに置き換えられた可能性があります。最新のメールのリンクを開くか、新しい招待を依頼してください。',
    },
    closed: 'この招待は終了しました',
    statuses: {
      accepted: 'この招待はすでに承諾されています。',
      rejected: 'この招待は辞退されました。',
      canceled: 'この招待は取り消されました。',
      expired: 'この招待は期限切れです。',
    },
    joined: (workspace) => `${workspace} に参加しました`,
    role: (role) => `権限は${role}です。`,
    declined: '招待を辞退しました',
    declinedText: (workspace) =>
      `${workspace} には参加していません。管理者には回答が表示されます。`,
  },
  report: {
    title: '短縮リンクの報告',
    intro:
      '報告はこのサービスの運営者に届きます。リンクの所有者は本文を読めますが、あなたのメールアドレスは見えません。',
    url: '短縮リンク',
    reason: 'どのような問題ですか？',
    reasons: {
      phishing: '別のサイトを装っている',
      malware: '有害なソフトウェアを配布している',
      spam: 'スパムである',
      other: 'その他',
    },
    details: '状況（任意）',
    email: '連絡用のメールアドレス（任意）',
    send: '報告を送信',
    sent: {
      title: 'ご報告ありがとうございます',
      text: 'このサービスの運営者がリンクを確認します。このページは閉じてかまいません。',
    },
  },
  failed: {
    title: 'うまくいきませんでした',
    fix: '前のページに戻り、内容を直してもう一度お試しください。',
    wait: '少し待ってからもう一度お試しください。',
  },
  errors: {
    length: 'パスワードは 10 から 256 文字にしてください。',
    weak: 'このパスワードは推測されやすいものです。関係のない単語をいくつか並べるなど、より長いものにしてください。',
    required: 'パスワードを入力してください。',
    url: 'このサービスの短縮リンクではありません（例：https://links.example.com/spring）。',
    VALIDATION_ERROR: '正しくない値があります。',
    UNAUTHORIZED: 'もう一度サインインしてください。',
    INVALID_CREDENTIALS: 'パスワードが違います。',
    INVALID_CODE: 'このコードは正しくありません。',
    FORBIDDEN: 'この操作は許可されていません。',
    NOT_FOUND: 'すでに存在しません。',
    CONFLICT: '現在の状態と合いません。すでに完了している可能性があります。',
    GONE: 'リンクの期限が切れたか、すでに使われました。',
    PLAN_LIMIT_REACHED: 'ワークスペースがプランの上限に達しました。',
    RATE_LIMITED: '試行が多すぎます。しばらくしてからもう一度お試しください。',
    UNAVAILABLE: '現在サービスを利用できません。',
    INTERNAL_ERROR: 'サーバーで問題が発生しました。',
  },
}

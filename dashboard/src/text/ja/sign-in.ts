import type { messages as english } from '../en/sign-in.ts'

export const messages: typeof english = () => ({
  signIn: {
    title: 'ログイン',
    email: 'メールアドレス',
    password: 'パスワード',
    submit: 'ログイン',
    passkey: 'パスキーを使用',
    provider: (name) => `${name} で続行`,
    secondStep: 'あと1ステップ',
    code: 'コード',
    codeHint: '認証アプリの6桁のコード、またはバックアップコード。',
    verify: '続行',
    noAccount: 'アカウントをお持ちでない場合',
    toSignUp: '新規登録',
    forgot: 'パスワードをお忘れですか？',
    sendAgain: 'メールを再送信',
    sentAgain: '送信しました',
    again: '最初からやり直す',
    closed:
      'このサーバーでは新規登録を受け付けていません。アカウントについては運営者にお問い合わせください。',
    invite: '新規登録は招待制です。招待を受けたメールアドレスを使ってください。',
  },
  forgot: {
    title: '新しいパスワードを設定',
    submit: 'リンクを送信',
    sent: (email) =>
      `${email} のアカウントがある場合は、新しいパスワードを設定するためのリンクを送信しました。`,
  },
  signUp: {
    title: 'アカウントを作成',
    name: 'お名前',
    submit: '登録',
    submitInvited: '登録して参加',
    invitedHint: 'このメールアドレスへの招待です。',
    passwordHint: '10文字以上で、推測されにくいもの。',
    passwordLength: (least) =>
      `${least}文字以上で、推測されにくいもの。関連のない単語をいくつか組み合わせるのがおすすめです。`,
    closedTitle: '新規登録を受け付けていません',
    hasAccount: 'すでにアカウントをお持ちの場合',
    mailTitle: 'メールを確認してください',
    mailSent: (email) => `${email} にリンクを送信しました。リンクを開くとログインできます。`,
    mailWritten: (email) => `${email} 宛てのメールに、ログイン用のリンクがあります。`,
    invitationNeeded: '新規登録は招待制です。招待メールのリンクを開いてください。',
  },
  session: {
    title: { 'signed-out': 'ログアウトされました', 'not-fresh': 'ご本人確認' },
    explain: {
      'signed-out': '続けるにはログインしてください。入力した内容は失われません。',
      'not-fresh': 'この変更を行うには、もう一度ログインしてください。',
    },
    switched: '別のユーザーとしてログインしています',
    explainSwitched: (email) =>
      `このページは ${email} が開いたものです。保存されていない変更は破棄されました。別のユーザーとしては何も送信されていません。`,
    goOn: '別のユーザーとして続行',
  },
})

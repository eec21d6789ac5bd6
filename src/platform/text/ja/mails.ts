import type { MailTexts } from '../texts.ts'

export const mails: MailTexts = {
  hello: (name) => `${name} 様`,
  helloNobody: 'こんにちは。',
  unnamed: '（名前なし）',
  roles: { owner: 'オーナー', admin: '管理者', member: 'メンバー', viewer: '閲覧者' },
  once: 'リンクは 1 時間以内に 1 回だけ使えます。',
  notYou: 'お心当たりがない場合は、このメールを無視してください。何も変更されていません。',
  wasItYou:
    'お心当たりがない場合は、すぐにパスワードを再設定し、ほかのすべてのセッションからサインアウトしてください。',
  otherCredentials:
    'パスワードを変えても、API キー、パスキー、連携アカウントはそのままです。アカウントとワークスペースの設定で確認し、心当たりのないものを削除してください。',
  verifyEmail: {
    subject: 'メールアドレスを確認してください',
    text: 'Signpost への登録を完了するには、このメールアドレスを確認してください。',
    link: 'メールアドレスを確認',
    where: '登録に使ったブラウザで開くか、パスワードをご用意ください。',
    notYou: '登録した覚えがない場合は、このメールを無視してください。アカウントは作成されません。',
  },
  alreadyRegistered: {
    subject: 'すでにアカウントがあります',
    text: 'このアドレスで Signpost への登録がありましたが、すでにアカウントがあります。サインインするか、パスワードを忘れた場合は再設定してください。',
    link: 'サインイン',
  },
  resetPassword: {
    subject: '新しいパスワードを設定してください',
    text: 'アカウントのパスワードの再設定が依頼されました。',
    link: '新しいパスワードを設定',
  },
  passwordChanged: {
    subject: 'パスワードが変更されました',
    text: 'Signpost アカウントのパスワードが変更されました。',
  },
  approveEmailChange: {
    subject: 'メールアドレスの変更を承認してください',
    text: (newEmail) =>
      `メールアドレスを ${newEmail} に変更する依頼がありました。ここで承認し、新しいアドレスを確認すると変更されます。`,
    link: '変更を承認',
    notYou:
      'お心当たりがない場合は、承認しないでください。第三者がアカウントに入れる状態かもしれません。すぐにパスワードを変更してください。',
  },
  verifyNewEmail: {
    subject: '新しいメールアドレスを確認してください',
    text: (name, email) =>
      `Signpost のユーザー ${name}（${email}）が、このメールアドレスを自分のアカウントで使おうとしています。`,
    link: 'メールアドレスを確認',
    where: 'そのアカウントでサインインしているブラウザで開くか、そのパスワードをご用意ください。',
    notYou:
      'ご自分のアカウントでない場合は、このメールを無視してください。確認しない限り何も変わりません。',
  },
  emailChanged: {
    subject: 'メールアドレスが変更されました',
    text: (newEmail) =>
      `アカウントのアドレスは ${newEmail} になりました。以前のアドレスへのメールはこれが最後です。`,
    notYou:
      'お心当たりがない場合は、このサーバーの運営者にご連絡ください。このアドレスではもうサインインできません。',
  },
  invitation: {
    subject: 'Signpost のワークスペースへの招待',
    text: (inviter, workspace, role) =>
      `${inviter} さんから、Signpost のワークスペース ${workspace} に${role}として招待されています。`,
    link: '招待を開く',
    terms:
      'この招待を承諾できるのはこのアドレスだけです。14 日後に期限が切れます。リンクはアドレスの持ち主であることを示すため、このメールを転送しないでください。',
    unknown: '送信者に心当たりがない場合は、このメールを無視してください。',
  },
  accountDeleted: {
    subject: 'アカウントが削除されました',
    text: 'アカウントと、あなただけのものだったすべてのデータが削除されました。このメールが最後のお知らせです。',
  },
  webhookFailing: {
    subject: 'Webhook の配信が失敗し続けています',
    subjectPaused: '配信の失敗が続いたため Webhook エンドポイントが一時停止されました',
    text: (workspace) =>
      `ワークスペース ${workspace} の次の Webhook エンドポイントへの配信がすべて失敗しています。`,
    endpoint: ({ host, id, last, since }) =>
      `${host}（${id}）：最後の試行は${last}、${since} 以降成功なし。`,
    pausedAt: (time) => `${time} に一時停止。`,
    status: (status) => `ステータス ${status}`,
    noAnswer: (error) => `応答なし（${error}）`,
    more: (count) => `ほか ${count} 件。`,
    paused:
      '一時停止中のエンドポイントには何も届きません。受信側が復旧したら、ダッシュボードで再開してください。待機中の配信が送られ、その間のイベントは再送できます。',
    kept: '試行を使い切った配信は保存されています。受信側が 2xx を返すようになったら再試行できます。',
    why: 'エンドポイントの failureEmail にこのアドレスが設定されているため、このメールが届いています。各エンドポイントについて、次に成功するまで 1 回お知らせします。',
    whyPaused:
      'エンドポイントの failureEmail にこのアドレスが設定されているか、ワークスペースのオーナーであるため、このメールが届いています。各エンドポイントについて、次に成功するまで 1 回と、一時停止時に 1 回お知らせします。',
  },
  reportReady: {
    subject: '定期レポートができました',
    text: (report, workspace) => `ワークスペース ${workspace} のレポート ${report} ができました。`,
    link: 'レポートを開く',
    terms: '開くにはサインインが必要です。ファイルは 30 日間保存されます。',
    why: 'このレポートの受信者であるため、このメールが届いています。ワークスペースのメンバーは受信者を外せます。',
  },
  alert: {
    subject: 'リンクに関するアラート',
    over: 'アラートが終了しました',
    wholeWorkspace: 'ワークスペース全体',
    high: (target, count, usual) =>
      `${target}：直近の1時間のクリック数は${count}です。この時間帯は通常${usual}です。`,
    low: (target, count, usual) =>
      `${target}：直近の1時間のクリック数は${count}のみです。この時間帯は通常${usual}です。`,
    failing: (target) => `${target}：リンク先が応答しないか、エラーを返しています。`,
    clicksOver: (target, count) =>
      `${target}：クリック数は通常どおりに戻りました。直近の1時間は${count}です。`,
    destinationOver: (target) => `${target}：リンク先が再び応答しています。`,
    of: (workspace) => `ワークスペース：${workspace}`,
    link: 'アラートを開く',
    why: 'このメールは、このアラートの受信者に送信されています。ワークスペースのメンバーは受信者を削除できます。',
  },
}

import type { messages as english } from '../en/domains.ts'

export const messages: typeof english = ({ plural }) => ({
  domains: {
    title: 'ドメイン',
    count: (count) => plural(count, { other: '#件のドメイン' }),
    missing: 'このワークスペースにドメインが見つかりません',
    add: 'ドメインを追加',
    added: (hostname) => `${hostname} を追加しました。次にDNSレコードを追加してください。`,
    hostname: 'ドメイン',
    hostnameHint: '例: go.example.com。このドメインのURLを貼り付けることもできます。',
    search: 'ドメインを検索',
    statusFilter: 'ステータス',
    anyStatus: 'すべてのステータス',
    noneFound: '一致するドメインはありません',
    noneFoundHint: '別のステータスを選ぶか、検索条件を変えてください。',
    none: 'ドメインはまだありません',
    noneExplain:
      'go.example.com/sale のように、自分のドメインを短縮リンクに使えます。DNSレコードを2つ追加する必要があります。',
    noneForRole: 'このワークスペースの管理者が追加できます。',
    default: 'デフォルト',
    neverChecked: '未チェック',
    lastChecked: '最終チェック',
    verifiedAt: '確認完了',
    actionsOf: (hostname) => `${hostname} の操作`,

    records: 'DNSレコード',
    recordsExplain:
      'DNSプロバイダーで次のレコードを追加してください。名前にドメインが自動で付加される場合は、その前の部分だけを入力します。',
    recordsToCome: '必要になるレコード',
    recordsToComeNote:
      'example.com のようなルートドメインでは、CNAMEの代わりにAレコードとAAAAレコードを使います。',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=…（ドメインの追加後に表示）',
    targetToCome: 'ドメインの追加後に表示',
    type: '種類',
    name: '名前',
    value: '値',
    state: '前回のチェック',
    purposes: {
      ownership: 'ドメインの所有を証明',
      routing: '訪問者をこのサーバーに誘導',
    },
    copyName: (type) => `${type}レコードの名前をコピー`,
    copyValue: (type) => `${type}レコードの値をコピー`,
    found: '検出済み',
    notFound: '未検出',
    notChecked: '未チェック',
    foundInstead: '代わりに検出された値:',
    foundBeside: 'ほかに検出された値:',
    noRoute: 'このドメインをここに向けるレコードは、まだわかっていません。',
    noRouteExplain:
      '訪問者がこのサーバーにアクセスするときの名前（例: links.example.com）をCNAME_TARGETに、またはアドレス（例: https://links.example.com）をPUBLIC_URLに設定し、サーバーを再起動してください。',
    proof: 'DNSを使わずに確認',
    proofExplain:
      'TXTレコードの代わりに、ドメインのウェブサーバーが次のアドレスでこのテキストだけを返すように設定できます。',
    copyProofUrl: 'アドレスをコピー',
    copyToken: 'テキストをコピー',

    status: 'ステータス',
    checkNow: '今すぐチェック',
    checking: 'レコードをチェックしています…',
    states: {
      pending: 'レコードはまだ見つかっていません。',
      verified: '確認済みです。このドメインのリンクは有効です。',
      misconfigured: 'TXTレコードがなくなっています。',
      failed:
        '確認できていません。このドメインのリンクには「リンクが見つかりません」と表示されます。',
    },
    next: {
      pending:
        'レコードを追加してからチェックしてください。Signpostも自動でチェックします（7日間は10分ごと、その後は1日1回）。',
      verified: 'TXTレコードは削除しないでください。Signpostが1日1回チェックします。',
      misconfigured:
        'リンクは72時間有効です。TXTレコードをもう一度追加してください。Signpostが1時間ごとにチェックします。',
      failed:
        'レコードを修正してから、もう一度チェックしてください。Signpostも自動でチェックします（最初の7日間は10分ごと、その後は1日1回）。',
    },
    reasons: {
      not_found:
        'このドメインはDNSに存在しません。つづりを確認するか、先にドメインを登録してください。',
      not_configured:
        'TXTレコードが見つかりません。新しいレコードの反映には数分、プロバイダーによっては数時間かかります。',
      token_mismatch: 'TXTレコードの値が異なります。下の値に置き換えてください。',
      conflicting_records:
        'レコードは正しく設定されていますが、別のワークスペースがこのドメインを使っています。先にそちらで削除してください。',
      lookup_error:
        'ドメインのネームサーバーが応答しませんでした。数分後にもう一度チェックしてください。',
    },
    certificate: {
      states: {
        none: 'このサーバーは、このドメインの証明書を申請しません。前段のプロキシに証明書があれば、リンクはHTTPSで開きます。',
        pending: '証明書を申請しています。まもなくリンクがHTTPSで開くようになります。',
        active: '証明書は有効です。リンクはHTTPSで開きます。',
        failed: '有効な証明書がないため、リンクはHTTPSで開きません。Signpostが自動で再試行します。',
      },
      nextAttempt: '次回の試行:',
      reasons: {
        dns: '認証局がDNSでドメインを見つけられませんでした。訪問者をこのサーバーに誘導するレコードを追加してください。',
        connection:
          '認証局が接続できませんでした。訪問者をこのサーバーに誘導するレコードを確認し、ポート80と443が開いているかを運営者に問い合わせてください。',
        wrong_answer:
          'このドメインに別のサーバーが応答しています。訪問者をこのサーバーに誘導するレコードを修正し、ほかのAレコードとAAAAレコードを削除してください。',
        caa: 'CAAレコードがほかの認証局だけを許可しています。削除するか、このサーバーの認証局を追加してください。',
        rate_limited: '認証局のレート制限に達しました。Signpostがあとで再試行します。',
        refused: '認証局に拒否されました。理由はサーバーのログで確認できます。',
        share_used:
          'このアカウントまたはドメインから多数の証明書が申請されました。Signpostが自動で再試行します。',
        unreachable:
          '証明書の期限が切れ、認証局に接続できません。理由はサーバーのログで確認できます。',
      },
    },
    notRouted:
      '訪問者はまだここに到達していません。誘導するためのレコードがないか、値が異なっています。',

    history: 'ステータスの履歴',
    by: (name) => `${name}による操作`,

    settings: '設定',
    editSettings: 'ドメインの設定',
    isDefault: 'デフォルトのドメイン',
    isDefaultHint: 'ほかのドメインを選ばない限り、新しいリンクに使われます。',
    isDefaultLater: 'デフォルトにするには、ドメインの確認を完了してください。',
    caseSensitive: 'スラッグの大文字と小文字を区別',
    caseSensitiveHint: '/Docs と /docs は別のリンクになります。',
    rootRedirectUrl: 'トップページのリダイレクト先',
    notFoundUrl: '存在しないリンクのリダイレクト先',
    expiredUrl: '期限切れリンクのリダイレクト先',
    expiredUrlHint: 'リンク自身の代替URLが優先されます。',
    appleAppSiteAssociation: 'iOSアプリリンク',
    appleAppSiteAssociationHint:
      'JSON形式。/.well-known/apple-app-site-association で配信されます。',
    assetLinks: 'Androidアプリリンク',
    assetLinksHint: 'JSON形式。/.well-known/assetlinks.json で配信されます。',
    notObject: 'JSONオブジェクト { … } を入力してください。',
    notArray: 'JSON配列 [ … ] を入力してください。',
    notJson: (reason) => `有効なJSONではありません: ${reason}`,
    ownPage: 'デフォルトのページ',
    isBlocked: '（運営者がブロック中: 訪問者にはデフォルトのページが表示されます）',
    noFile: 'なし',
    aFile: '設定済み',
    yes: 'はい',
    no: 'いいえ',
    createdAt: '追加日時',
    id: 'ID',
    conflict: 'ページを開いている間に、ほかのユーザーがこのドメインを変更しました。',

    delete: '削除',
    deleteTitle: (hostname) => `${hostname} を削除しますか？`,
    deleteExplain:
      'このドメインをリンクに使えなくなり、別のワークスペースが追加できるようになります。',
    deleted: (hostname) => `${hostname} を削除しました。`,
    moveLinks: 'リンクを共有ドメインに移動',
    moveLinksHint:
      'スラッグ、クリック、履歴は引き継がれます。このドメインの短縮URLは使えなくなります。',
    takenSlugs: '移動できないリンク',

    limitReached: (max) =>
      plural(max, { other: 'プランに含まれるドメイン#件をすべて使用しています。' }),
    toPlans: 'プランを見る',
  },
})

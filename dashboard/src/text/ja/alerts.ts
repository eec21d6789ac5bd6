import type { messages as english } from '../en/alerts.ts'

export const messages: typeof english = () => ({
  alerts: {
    title: 'アラート',
    note: '1時間ごとに確認されます',
    new_: '新しいアラート',
    edit: 'アラートを編集',
    create: 'アラートを作成',
    created: 'アラートを有効にしました。',
    none: 'アラートはありません',
    noneExplain:
      'クリック数が通常から大きく外れたとき、またはリンク先が応答しなくなったときに、メールでお知らせします。',
    wholeWorkspace: 'ワークスペース全体',
    actionsOf: (name) => `${name}のアラートに対する操作`,
    pause: '一時停止',
    resume: '再開',
    paused: '一時停止中',
    delete: '削除',
    deleted: 'アラートを削除しました。',
    learning: 'クリック数：通常の値は2週間後にわかります',
    notChecked: 'リンク先はまだ確認されていません',
    since: (time) => `（${time}から）`,
    watchClicks: '通常と異なるクリック数',
    watchClicksHint: '過去4週間の同じ時間帯と比べて、クリック数が大きく増減した1時間。',
    watchDestination: 'リンク先の障害',
    watchDestinationHint: '2回続けて応答がない、またはエラーが返された場合。',
    linkHint: 'リンクを監視するには、そのページで「アラート」を選択してください。',
    watchOne: '1つ以上選択してください。',
    recipients: 'メールの送信先',
    recipientsHint: 'メンバーのアドレスを1行に1つ入力します。開始時と終了時に送信されます。',
    clicks: {
      usual: (count, usual) => `クリック数は通常どおりです：直近の1時間は${count}、通常は${usual}`,
      high: (count, usual) => `クリック数が多くなっています：直近の1時間は${count}、通常は${usual}`,
      low: (count, usual) =>
        `クリック数が少なくなっています：直近の1時間は${count}、通常は${usual}`,
    },
    destination: {
      ok: 'リンク先は応答しています',
      failing: 'リンク先が応答しないか、エラーを返しています',
    },
  },
})

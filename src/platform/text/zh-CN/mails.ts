import type { MailTexts } from '../texts.ts'

export const mails: MailTexts = {
  hello: (name) => `${name}，您好：`,
  helloNobody: '您好：',
  unnamed: '（无名称）',
  roles: { owner: '所有者', admin: '管理员', member: '成员', viewer: '查看者' },
  once: '该链接在一小时内有效，只能使用一次。',
  notYou: '如果这不是您的请求，请忽略此邮件。没有任何改动。',
  wasItYou: '如果这不是您本人的操作，请立即重置密码，并退出所有其他会话。',
  otherCredentials:
    '新密码不会影响您的 API 密钥、通行密钥和关联账户。请在账户和工作区的设置中检查，并删除您不认识的项目。',
  verifyEmail: {
    subject: '请确认您的邮箱地址',
    text: '请确认此邮箱地址，以完成 Signpost 的注册。',
    link: '确认邮箱',
    where: '请在注册时使用的浏览器中打开，或准备好您的密码。',
    notYou: '如果您没有注册，请忽略此邮件。不会创建账户。',
  },
  alreadyRegistered: {
    subject: '您已有账户',
    text: '有人用此地址注册 Signpost，但它已有账户。请登录；如果忘记了密码，请重置。',
    link: '登录',
  },
  resetPassword: {
    subject: '请设置新密码',
    text: '有人为您的账户请求重置密码。',
    link: '设置新密码',
  },
  passwordChanged: {
    subject: '您的密码已更改',
    text: '您的 Signpost 账户的密码刚刚被更改。',
  },
  approveEmailChange: {
    subject: '请批准更改邮箱地址',
    text: (newEmail) =>
      `有人请求将您的邮箱地址更改为 ${newEmail}。在您于此处批准并确认新地址后生效。`,
    link: '批准更改',
    notYou: '如果这不是您的请求，请不要批准，并立即更改密码：可能有人能访问您的账户。',
  },
  verifyNewEmail: {
    subject: '请确认您的新邮箱地址',
    text: (name, email) => `Signpost 用户 ${name}（${email}）希望将此邮箱地址用于其账户。`,
    link: '确认邮箱',
    where: '请在已登录该账户的浏览器中打开，或准备好该账户的密码。',
    notYou: '如果这不是您的账户，请忽略此邮件。未经确认不会有任何改动。',
  },
  emailChanged: {
    subject: '您的邮箱地址已更改',
    text: (newEmail) => `您的账户现在使用 ${newEmail}。这是发往旧地址的最后一封邮件。`,
    notYou: '如果这不是您本人的操作，请联系此服务器的运营者。此地址已无法登录。',
  },
  invitation: {
    subject: 'Signpost 工作区邀请',
    text: (inviter, workspace, role) =>
      `${inviter} 邀请您以${role}身份加入 Signpost 上的工作区 ${workspace}。`,
    link: '打开邀请',
    terms:
      '只有此地址可以接受邀请。邀请将在 14 天后失效。该链接可证明此地址属于您，请勿转发此邮件。',
    unknown: '如果您不认识发件人，请忽略此邮件。',
  },
  accountDeleted: {
    subject: '您的账户已删除',
    text: '您的账户以及仅属于您的所有数据均已删除。这是我们发给您的最后一封邮件。',
  },
  webhookFailing: {
    subject: 'Webhook 投递持续失败',
    subjectPaused: '由于投递持续失败，Webhook 端点已暂停',
    text: (workspace) => `工作区 ${workspace} 的以下 Webhook 端点的所有投递均失败：`,
    endpoint: ({ host, id, last, since }) =>
      `${host}（${id}）：最近一次尝试${last}，自 ${since} 起未成功。`,
    pausedAt: (time) => `已于 ${time} 暂停。`,
    status: (status) => `状态 ${status}`,
    noAnswer: (error) => `无响应（${error}）`,
    more: (count) => `另有 ${count} 个。`,
    paused:
      '已暂停的端点不会收到任何内容。接收方恢复后，请在控制台中恢复端点：届时会发送等待中的投递，也可以重放期间发生的事件。',
    kept: '已用完尝试次数的投递会保留。接收方返回 2xx 状态后，您可以重试。',
    why: '您收到此邮件，是因为有端点将您的地址设为 failureEmail。每个端点在下次成功之前只通知一次。',
    whyPaused:
      '您收到此邮件，是因为有端点将您的地址设为 failureEmail，或您是工作区的所有者。每个端点在下次成功之前只通知一次，暂停时再通知一次。',
  },
  reportReady: {
    subject: '定期报告已生成',
    text: (report, workspace) => `工作区 ${workspace} 的报告 ${report} 已生成。`,
    link: '打开报告',
    terms: '需要登录才能打开。文件保留 30 天。',
    why: '您收到此邮件，是因为您是此报告的收件人。工作区成员可以将您移除。',
  },
  alert: {
    subject: '关于链接的提醒',
    over: '提醒已结束',
    wholeWorkspace: '整个工作区',
    high: (target, count, usual) =>
      `${target}：最近一个整点小时有 ${count} 次点击，这个时段通常为 ${usual} 次。`,
    low: (target, count, usual) =>
      `${target}：最近一个整点小时只有 ${count} 次点击，这个时段通常为 ${usual} 次。`,
    failing: (target) => `${target}：目标地址没有响应，或返回错误。`,
    clicksOver: (target, count) => `${target}：点击数已恢复正常，最近一个整点小时为 ${count} 次。`,
    destinationOver: (target) => `${target}：目标地址已恢复响应。`,
    of: (workspace) => `工作区：${workspace}。`,
    link: '打开提醒',
    why: '您收到此邮件是因为您是此提醒的收件人。工作区成员可以将您移除。',
  },
}

import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: { title: '找不到链接', text: '请检查地址是否有误。该链接也可能已被停用或删除。' },
    pending: { title: '此链接尚未开放', text: '请稍后再来，或向发送者询问开放时间。' },
    expired: {
      title: '此链接已过期',
      text: '它的有效期由所有者设定，现已结束。请向发送者索取新链接。',
    },
    exhausted: {
      title: '此链接已达到点击上限',
      text: '它只能打开有限的次数。请向发送者索取新链接。',
    },
    suspended: {
      title: '此链接已停止服务',
      text: '链接所属的账号未启用。请向发送者询问它原本指向何处。',
    },
    blocked: {
      title: '此链接已被封禁',
      text: '本服务的运营者已将其下线。如果您是从某条消息来到这里的，请警惕该消息的其他要求。',
    },
    noPreview: { title: '此地址没有预览', text: '链接不存在，或者它不显示所指向的地址。' },
    malformed: { title: '此地址无效', text: '其中包含链接不会使用的字符。请确认已完整复制。' },
    tooLong: { title: '此地址过长', text: '请确认没有连同链接一起复制其他内容。' },
    unavailable: { title: '请重试', text: '目前无法查询此链接。请几秒钟后重试。' },
    broken: { title: '出了点问题', text: '问题出在我们这边。请几秒钟后重试。' },
  },
  error: '错误',
  reportAbuse: '举报滥用',
  password: {
    title: '此链接需要密码',
    intro: '请输入随链接一起提供的密码。',
    wrong: '密码不正确。请检查后重试。',
    label: '密码',
    open: '打开链接',
    cookie: 'Cookie 会让此链接在本浏览器中保持可打开状态 12 小时。',
  },
  attempts: {
    title: '尝试次数过多',
    wait: (time) => `未检查密码。请在 ${time}后重试。`,
    back: '返回链接',
  },
  app: {
    title: '此链接会打开应用',
    without: (host) => `如果没有安装该应用，请继续前往 ${host}。`,
    open: '打开应用',
    browser: '在浏览器中继续',
  },
  inspection: {
    title: '此链接指向',
    conditional: '根据设备、位置或时间，它可能会指向其他地址。',
    mixedScript:
      '注意：此地址中的网站名称混用了不同的字母表，或使用了与拉丁字母相似的字符。请确认这是您要访问的网站。',
  },
}

import type { messages as english } from '../en/members.ts'

export const messages: typeof english = ({ plural }) => ({
  members: {
    title: 'الأعضاء',
    count: (count) =>
      plural(count, {
        one: 'عضو واحد',
        two: 'عضوان',
        few: '# أعضاء',
        many: '# عضوًا',
        other: '# عضو',
      }),
    you: 'أنت',
    roleOf: (name) => `دور ${name}`,
    roleHints: {
      viewer: 'يرى الروابط والإحصاءات',
      member: 'ينشئ أيضًا الروابط والحملات ويغيّرها',
      admin: 'يدير أيضًا الويب هوك والمفاتيح والأعضاء والسجلات',
      owner: 'يدير أيضًا الفوترة ويمكنه حذف مساحة العمل',
    },
    roleChanged: (name, role) => `أصبح دور ${name}: ${role}.`,
    joined: 'انضم',
    lastActive: 'نشط',
    neverActive: 'لم ينشط بعد',
    twoFactor: 'التحقق بخطوتين',
    noTwoFactor: 'بلا تحقق بخطوتين',
    actionsOf: (name) => `إجراءات ${name}`,
    remove: 'إزالة',
    removeTitle: (name) => `إزالة ${name}؟`,
    removeExplain: 'تتوقف مفاتيح API الخاصة به في مساحة العمل هذه فورًا. ويبقى ما أنشأه.',
    removed: (name) => `تمت إزالة ${name}.`,
    leave: 'مغادرة مساحة العمل',
    leaveTitle: (name) => `مغادرة ${name}؟`,
    leaveExplain:
      'تتوقف مفاتيح API الخاصة بك في مساحة العمل هذه فورًا. وتحتاج إلى دعوة جديدة للعودة.',
    invite: 'دعوة',
    inviteTitle: 'دعوة عضو',
    email: 'البريد الإلكتروني',
    role: 'الدور',
    send: 'إرسال الدعوة',
    sent: (email) => `تمت دعوة ${email}.`,
    notMailed: (email) =>
      `تمت دعوة ${email}، لكن لم تُرسل رسالة: تلقّى هذا العنوان رسائل كثيرة في الساعة الأخيرة. حاول لاحقًا.`,
    accountRequired:
      'إنشاء الحسابات مغلق على هذا الخادم. من ليس له حساب عليه أن يطلبه من المشغّل أولًا.',
    invitations: 'الدعوات',
    invitationStatuses: {
      pending: 'معلّقة',
      accepted: 'مقبولة',
      rejected: 'مرفوضة',
      canceled: 'ملغاة',
      expired: 'منتهية',
    },
    noInvitations: 'لا توجد دعوات معلّقة.',
    expires: 'تنتهي',
    resend: 'إعادة الإرسال',
    getLink: 'الحصول على رابط',
    linkTitle: 'رابط الدعوة',
    linkNote: (email) =>
      `يمكنك أيضًا مشاركة رابط بنفسك. لا ينضم به إلا ${email} بعد تأكيد هذا العنوان بالبريد.`,
    makeLink: 'إنشاء رابط',
    copyLink: 'نسخ الرابط',
    cancelInvitation: 'إلغاء الدعوة',
    canceled: (email) => `أُلغيت دعوة ${email}.`,
    invitedAgain: (email) => `تمت دعوة ${email} مجددًا.`,
    actionsOfInvitation: (email) => `إجراءات دعوة ${email}`,
  },
})

import type { messages as english } from '../en/sign-in.ts'

export const messages: typeof english = () => ({
  signIn: {
    title: 'تسجيل الدخول',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    submit: 'تسجيل الدخول',
    passkey: 'استخدام مفتاح مرور',
    provider: (name) => `المتابعة باستخدام ${name}`,
    secondStep: 'خطوة أخرى',
    code: 'الرمز',
    codeHint: 'ستة أرقام من تطبيق المصادقة، أو رمز احتياطي.',
    verify: 'متابعة',
    noAccount: 'ليس لديك حساب بعد؟',
    toSignUp: 'إنشاء حساب',
    forgot: 'هل نسيت كلمة المرور؟',
    sendAgain: 'إعادة إرسال الرسالة',
    sentAgain: 'أُرسلت',
    again: 'البدء من جديد',
    closed: 'إنشاء الحسابات مغلق على هذا الخادم. اطلب حسابًا من مشغّله.',
    invite: 'إنشاء الحسابات بالدعوة فقط: استخدم العنوان المدعو.',
  },
  forgot: {
    title: 'تعيين كلمة مرور جديدة',
    submit: 'إرسال الرابط',
    sent: (email) => `إذا كان لـ ${email} حساب، فقد أرسلنا رابطًا لتعيين كلمة مرور جديدة.`,
  },
  signUp: {
    title: 'أنشئ حسابك',
    name: 'اسمك',
    submit: 'إنشاء حساب',
    submitInvited: 'إنشاء حساب وانضمام',
    invitedHint: 'الدعوة لهذا العنوان.',
    passwordHint: '10 أحرف على الأقل، يصعب تخمينها.',
    passwordLength: (least) =>
      `${least} حرفًا على الأقل، يصعب تخمينها. عدة كلمات غير مترابطة خيار جيد.`,
    closedTitle: 'إنشاء الحسابات مغلق',
    hasAccount: 'لديك حساب بالفعل؟',
    mailTitle: 'تحقق من بريدك',
    mailSent: (email) => `أرسلنا رابطًا إلى ${email}. يسجّل دخولك مباشرة.`,
    mailWritten: (email) => `في الرسالة إلى ${email} رابط يسجّل دخولك.`,
    invitationNeeded: 'إنشاء الحسابات بالدعوة فقط: افتح الرابط في دعوتك.',
  },
  session: {
    title: { 'signed-out': 'تم تسجيل خروجك', 'not-fresh': 'أكّد هويتك' },
    explain: {
      'signed-out': 'سجّل الدخول للمتابعة. لم يُفقد شيء مما كتبته.',
      'not-fresh': 'يتطلب هذا التغيير تسجيل دخول حديثًا.',
    },
    switched: 'تم تسجيل الدخول بحساب آخر',
    explainSwitched: (email) =>
      `فتح ${email} هذه الصفحة. أُلغيت تغييراته غير المحفوظة، ولم يُرسل شيء بالحساب الآخر.`,
    goOn: 'المتابعة بالحساب الآخر',
  },
})

import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Parola',
  signIn: 'Oturum aç',
  openDashboard: 'Paneli aç',
  gone: {
    title: 'Bu bağlantı artık çalışmıyor',
    text: 'Bağlantının süresi doldu, bağlantı kullanıldı veya yenisiyle değiştirildi. Yeni bir bağlantı isteyin.',
  },
  verify: {
    title: 'E-postanızı onaylayın',
    here: (email) => `Bu tarayıcıda ${email} adresiyle kaydoldunuz.`,
    elsewhere: (email) =>
      `${email} adresiyle kaydolurken seçtiğiniz parolayı girin. Siz kaydolmadıysanız bu sayfayı kapatın.`,
    button: 'Onayla ve oturum aç',
    readyTitle: 'Adresiniz onaylandı',
    notJoined: 'Hesabınız hazır, ancak sizi davet eden çalışma alanına katılmadınız.',
  },
  reset: {
    title: 'Yeni bir parola seçin',
    text: (email) => `${email} için. Diğer tüm oturumlarınız kapatılır.`,
    label: 'Yeni parola (en az 10 karakter)',
    button: 'Parolayı kaydet',
    done: {
      title: 'Parola değiştirildi',
      text: 'Tüm oturumlarınız kapatıldı. Yeni parolanızla oturum açın.',
    },
  },
  change: {
    approveTitle: 'Yeni e-postanızı onaylayın',
    confirmTitle: 'Yeni e-postanızı doğrulayın',
    facts: (name, email, newEmail) =>
      `${name} (${email}) hesabı, iki adres de onayladığında ${newEmail} adresine geçer.`,
    warning: 'Bu sizin hesabınız değilse sayfayı kapatın: onaylarsanız adresiniz o hesaba verilir.',
    password: 'O hesabın parolasını girin veya önce bu tarayıcıda o hesapla oturum açın.',
    approve: 'Onayla',
    confirm: 'Doğrula',
    done: 'Onaylandı',
    changed: 'Hesabınız artık yeni adresi kullanıyor.',
    almost: 'Neredeyse bitti. Şimdi diğer adrese gönderdiğimiz e-postayı onaylayın.',
  },
  code: {
    title: 'Kodunuzu girin',
    text: 'Kimlik doğrulama uygulamanızdaki altı rakamı veya yedek kodlarınızdan birini girin.',
    label: 'Kod',
  },
  invitation: {
    title: (workspace) => `Davet: ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} sizi ${workspace} çalışma alanına davet ediyor. Rolünüz: ${role}. Davet ${email} içindir ve ${day} tarihinde sona erer.`,
    formerMember: 'Eski bir üye',
    accept: 'Kabul et',
    decline: 'Reddet',
    otherAccount: (email) => `${email} olarak oturum açtınız. Bu davet başka bir adres içindir.`,
    toAnswer: (email) => `Yanıtlamak için ${email} ile oturum açın.`,
    toAnswerOrSignUp: (email) =>
      `Yanıtlamak için ${email} ile oturum açın veya henüz hesabınız yoksa kaydolun.`,
    provider: (name) => `${name} ile devam et`,
    signUp: 'Kaydol ve katıl',
    unknown: {
      title: 'Davet bulunamadı',
      text: 'Daha yeni bir e-posta onun yerini almış olabilir. Son e-postadaki bağlantıyı açın veya yeni bir davet isteyin.',
    },
    closed: 'Bu davet kapandı',
    statuses: {
      accepted: 'Bu davet zaten kabul edildi.',
      rejected: 'Bu davet reddedildi.',
      canceled: 'Bu davet iptal edildi.',
      expired: 'Bu davetin süresi doldu.',
    },
    joined: (workspace) => `${workspace} alanına katıldınız`,
    role: (role) => `Rolünüz: ${role}.`,
    declined: 'Daveti reddettiniz',
    declinedText: (workspace) =>
      `${workspace} alanına katılmadınız. Yöneticileri yanıtınızı görebilir.`,
  },
  report: {
    title: 'Kısa bağlantıyı bildir',
    intro:
      'Bildiriminiz bu hizmetin işletmecisine gider. Bağlantının sahibi yazdıklarınızı okuyabilir, e-posta adresinizi göremez.',
    url: 'Kısa bağlantı',
    reason: 'Sorun nedir?',
    reasons: {
      phishing: 'Başka bir siteyi taklit ediyor',
      malware: 'Zararlı yazılım sunuyor',
      spam: 'Spam',
      other: 'Başka bir şey',
    },
    details: 'Ne oldu? (isteğe bağlı)',
    email: 'Sorular için e-postanız (isteğe bağlı)',
    send: 'Bildirimi gönder',
    sent: {
      title: 'Bildiriminiz için teşekkürler',
      text: 'Bu hizmetin işletmecisi bağlantıyı inceleyecek. Bu sayfayı kapatabilirsiniz.',
    },
  },
  failed: {
    title: 'Bu işe yaramadı',
    fix: 'Geri dönün, sorunu düzeltin ve tekrar deneyin.',
    wait: 'Birazdan tekrar deneyin.',
  },
  errors: {
    length: 'Parola 10 ile 256 karakter arasında olmalıdır.',
    weak: 'Bu parolayı tahmin etmek kolay. Birkaç ilgisiz sözcük gibi daha uzun bir parola seçin.',
    required: 'Parolayı girin.',
    url: 'Bu, hizmetin kısa bağlantısı değil; örneğin https://links.example.com/spring.',
    VALIDATION_ERROR: 'Bir değer geçerli değil.',
    UNAUTHORIZED: 'Yeniden oturum açın.',
    INVALID_CREDENTIALS: 'Parola yanlış.',
    INVALID_CODE: 'Bu kod geçerli değil.',
    FORBIDDEN: 'Buna izin verilmiyor.',
    NOT_FOUND: 'Bu artık yok.',
    CONFLICT: 'Bu, şu anki duruma uymuyor. Belki zaten yapıldı.',
    GONE: 'Bağlantının süresi doldu veya bağlantı zaten kullanıldı.',
    PLAN_LIMIT_REACHED: 'Çalışma alanı, planının bir sınırına ulaştı.',
    RATE_LIMITED: 'Çok fazla deneme. Daha sonra tekrar deneyin.',
    UNAVAILABLE: 'Hizmet şu anda kullanılamıyor.',
    INTERNAL_ERROR: 'Sunucuda bir şeyler ters gitti.',
  },
}

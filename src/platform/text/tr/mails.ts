import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('tr')

export const mails: MailTexts = {
  hello: (name) => `Merhaba ${name},`,
  helloNobody: 'Merhaba,',
  unnamed: '(adsız)',
  roles: { owner: 'sahip', admin: 'yönetici', member: 'üye', viewer: 'izleyici' },
  once: 'Bağlantı bir kez ve bir saat içinde çalışır.',
  notYou: 'Bunu siz istemediyseniz bu e-postayı dikkate almayın. Hiçbir şey değişmedi.',
  wasItYou: 'Bunu siz yapmadıysanız parolanızı hemen sıfırlayın ve diğer tüm oturumları kapatın.',
  otherCredentials:
    'Yeni parola; API anahtarlarınızı, geçiş anahtarlarınızı ve bağlı hesaplarınızı etkilemez. Bunları hesabınızın ve çalışma alanlarınızın ayarlarında kontrol edin, tanımadıklarınızı kaldırın.',
  verifyEmail: {
    subject: 'E-posta adresinizi onaylayın',
    text: 'Signpost kaydınızı tamamlamak için bu e-posta adresini onaylayın.',
    link: 'E-postayı onayla',
    where: 'Bağlantıyı kaydolduğunuz tarayıcıda açın veya parolanızı hazır bulundurun.',
    notYou: 'Siz kaydolmadıysanız bu e-postayı dikkate almayın. Hesap oluşturulmaz.',
  },
  alreadyRegistered: {
    subject: 'Zaten bir hesabınız var',
    text: 'Bu adresle Signpost’a kaydolunmak istendi, ancak adresin zaten bir hesabı var. Oturum açın veya unuttuysanız parolanızı sıfırlayın.',
    link: 'Oturum aç',
  },
  resetPassword: {
    subject: 'Yeni bir parola seçin',
    text: 'Hesabınız için yeni bir parola istendi.',
    link: 'Yeni parola seç',
  },
  passwordChanged: {
    subject: 'Parolanız değiştirildi',
    text: 'Signpost hesabınızın parolası az önce değiştirildi.',
  },
  approveEmailChange: {
    subject: 'E-posta adresi değişikliğinizi onaylayın',
    text: (newEmail) =>
      `E-posta adresinizin ${newEmail} olarak değiştirilmesi istendi. Değişiklik, burada onayladığınızda ve yeni adres doğrulandığında geçerli olur.`,
    link: 'Değişikliği onayla',
    notYou:
      'Bunu siz istemediyseniz onaylamayın. Parolanızı hemen değiştirin: bir yabancı hesabınıza erişiyor olabilir.',
  },
  verifyNewEmail: {
    subject: 'Yeni e-posta adresinizi onaylayın',
    text: (name, email) =>
      `${name} (${email}), bu e-posta adresini Signpost hesabı için kullanmak istiyor.`,
    link: 'E-postayı onayla',
    where:
      'Bağlantıyı o hesapta oturumu açık bir tarayıcıda açın veya hesabın parolasını hazır bulundurun.',
    notYou:
      'Bu sizin hesabınız değilse bu e-postayı dikkate almayın. Siz onaylamadıkça hiçbir şey değişmez.',
  },
  emailChanged: {
    subject: 'E-posta adresiniz değiştirildi',
    text: (newEmail) =>
      `Hesabınız artık ${newEmail} adresini kullanıyor. Bu, eski adresinize gönderilen son e-postadır.`,
    notYou:
      'Bunu siz yapmadıysanız bu sunucunun işletmecisine başvurun. Bu adresle artık oturum açamazsınız.',
  },
  invitation: {
    subject: 'Signpost’ta bir çalışma alanına davet',
    text: (inviter, workspace, role) =>
      `${inviter} sizi Signpost’taki ${workspace} çalışma alanına davet ediyor. Rolünüz: ${role}.`,
    link: 'Daveti aç',
    terms:
      'Daveti yalnızca bu adres kabul edebilir. Davetin süresi 14 gün sonra dolar. Bağlantı adresin size ait olduğunu doğrular, bu yüzden bu e-postayı iletmeyin.',
    unknown: 'Göndereni tanımıyorsanız bu e-postayı dikkate almayın.',
  },
  accountDeleted: {
    subject: 'Hesabınız silindi',
    text: 'Hesabınız, yalnızca size ait olan tüm verilerle birlikte silindi. Bu, size son e-postamızdır.',
  },
  webhookFailing: {
    subject: 'Webhook teslimatları sürekli başarısız oluyor',
    subjectPaused: 'Teslimatlar başarısız olduğu için webhook uç noktaları duraklatıldı',
    text: (workspace) =>
      `${workspace} çalışma alanının şu webhook uç noktalarına yapılan tüm teslimatlar başarısız oluyor:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): son denemede ${last}, ${since} tarihinden beri başarı yok.`,
    pausedAt: (time) => `Duraklatıldı: ${time}.`,
    status: (status) => `durum ${status}`,
    noAnswer: (error) => `yanıt yok (${error})`,
    more: (count) => plural(count, { one: 'Ve # tane daha.', other: 'Ve # tane daha.' }),
    paused:
      'Duraklatılan bir uç nokta hiçbir şey almaz. Alıcısı çalıştığında panelden sürdürün: bekleyen teslimatlar gönderilir, bir yeniden oynatma da arada olanları gönderir.',
    kept: 'Denemesi kalmayan teslimatlar saklanır. Alıcı 2xx durumuyla yanıt verdiğinde bunları yeniden deneyebilirsiniz.',
    why: 'Bu e-postayı, bir uç nokta adresinizi failureEmail olarak belirttiği için alıyorsunuz. Her uç nokta, bir sonraki başarısına kadar bir kez bildirilir.',
    whyPaused:
      'Bu e-postayı, bir uç nokta adresinizi failureEmail olarak belirttiği veya çalışma alanının sahibi olduğunuz için alıyorsunuz. Her uç nokta, bir sonraki başarısına kadar bir kez ve duraklatıldığında bir kez bildirilir.',
  },
  reportReady: {
    subject: 'Zamanlanmış bir rapor hazır',
    text: (report, workspace) => `${workspace} çalışma alanının ${report} raporu hazır.`,
    link: 'Raporları aç',
    terms: 'Açmak için oturum açmanız gerekir. Dosya 30 gün saklanır.',
    why: 'Bu e-postayı, bu raporun alıcısı olduğunuz için alıyorsunuz. Çalışma alanının bir üyesi sizi çıkarabilir.',
  },
  alert: {
    subject: 'Bağlantılarınızla ilgili bir uyarı',
    over: 'Bir uyarı sona erdi',
    wholeWorkspace: 'tüm çalışma alanı',
    high: (target, count, usual) =>
      `${target}: son tam saatte ${count} tıklama; bu saatte genellikle ${usual}.`,
    low: (target, count, usual) =>
      `${target}: son tam saatte yalnızca ${count} tıklama; bu saatte genellikle ${usual}.`,
    failing: (target) => `${target}: hedef yanıt vermiyor veya hata döndürüyor.`,
    clicksOver: (target, count) =>
      `${target}: tıklamalar yeniden her zamanki gibi, son tam saatte ${count}.`,
    destinationOver: (target) => `${target}: hedef yeniden yanıt veriyor.`,
    of: (workspace) => `Çalışma alanı: ${workspace}.`,
    link: 'Uyarıları aç',
    why: 'Bu e-postayı bu uyarının alıcısı olduğunuz için aldınız. Çalışma alanının bir üyesi sizi çıkarabilir.',
  },
}

import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Bağlantı bulunamadı',
      text: 'Adreste yazım hatası olup olmadığını kontrol edin. Bağlantı kapatılmış veya silinmiş de olabilir.',
    },
    pending: {
      title: 'Bu bağlantı henüz kullanılamıyor',
      text: 'Daha sonra tekrar deneyin veya gönderene ne zaman açılacağını sorun.',
    },
    expired: {
      title: 'Bu bağlantının süresi doldu',
      text: 'Sahibinin belirlediği tarihe kadar çalıştı. Gönderenden yenisini isteyin.',
    },
    exhausted: {
      title: 'Bu bağlantı tıklama sınırına ulaştı',
      text: 'Yalnızca sınırlı sayıda açılabiliyordu. Gönderenden yenisini isteyin.',
    },
    suspended: {
      title: 'Bu bağlantı hizmet dışı',
      text: 'Bağlı olduğu hesap etkin değil. Nereye gitmesi gerektiğini gönderene sorun.',
    },
    blocked: {
      title: 'Bu bağlantı engellendi',
      text: 'Bu hizmetin işletmecisi bağlantıyı kaldırdı. Sizi buraya bir mesaj getirdiyse, o mesajın istediği diğer şeylere karşı dikkatli olun.',
    },
    noPreview: {
      title: 'Bu adres için önizleme yok',
      text: 'Ya böyle bir bağlantı yok ya da nereye gittiğini göstermiyor.',
    },
    malformed: {
      title: 'Bu adres geçerli değil',
      text: 'Hiçbir bağlantıda bulunmayan karakterler içeriyor. Tamamını kopyaladığınızdan emin olun.',
    },
    tooLong: {
      title: 'Bu adres çok uzun',
      text: 'Bağlantıyla birlikte başka bir şey kopyalanmadığından emin olun.',
    },
    unavailable: {
      title: 'Lütfen tekrar deneyin',
      text: 'Bu bağlantıya şu anda bakamıyoruz. Birkaç saniye sonra tekrar deneyin.',
    },
    broken: {
      title: 'Bir şeyler ters gitti',
      text: 'Sorun bizden kaynaklanıyor. Birkaç saniye sonra tekrar deneyin.',
    },
  },
  error: 'Hata',
  reportAbuse: 'Kötüye kullanımı bildir',
  password: {
    title: 'Bu bağlantı için parola gerekiyor',
    intro: 'Bağlantıyla birlikte gelen parolayı girin.',
    wrong: 'Parola yanlış. Kontrol edip tekrar deneyin.',
    label: 'Parola',
    open: 'Bağlantıyı aç',
    cookie: 'Bir çerez, bağlantıyı bu tarayıcıda 12 saat açık tutar.',
  },
  attempts: {
    title: 'Çok fazla deneme',
    wait: (time) => `Parola kontrol edilmedi. ${time} sonra tekrar deneyin.`,
    back: 'Bağlantıya dön',
  },
  app: {
    title: 'Bu bağlantı bir uygulama açar',
    without: (host) => `Uygulama yoksa şu siteye devam edin: ${host}.`,
    open: 'Uygulamayı aç',
    browser: 'Tarayıcıda devam et',
  },
  inspection: {
    title: 'Bu bağlantının gittiği yer',
    conditional: 'Cihaza, konuma veya zamana göre başka bir yere gidebilir.',
    mixedScript:
      'Dikkat: Bu adresteki site adı alfabeleri karıştırıyor veya Latin harflerine benzeyen harfler kullanıyor. Beklediğiniz site olduğundan emin olun.',
  },
}

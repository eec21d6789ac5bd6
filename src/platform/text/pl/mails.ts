import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pl')

export const mails: MailTexts = {
  hello: (name) => `Cześć ${name},`,
  helloNobody: 'Cześć,',
  unnamed: '(bez nazwy)',
  roles: {
    owner: 'właściciel',
    admin: 'administrator',
    member: 'członek',
    viewer: 'obserwator',
  },
  once: 'Link działa raz, w ciągu godziny.',
  notYou: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Nic się nie zmieniło.',
  wasItYou:
    'Jeśli to nie Twoje działanie, zresetuj teraz hasło i wyloguj wszystkie pozostałe sesje.',
  otherCredentials:
    'Nowe hasło nie wpływa na klucze API, klucze dostępu i połączone konta. Sprawdź je w ustawieniach konta i przestrzeni roboczych i usuń te, których nie rozpoznajesz.',
  verifyEmail: {
    subject: 'Potwierdź swój adres e-mail',
    text: 'Potwierdź ten adres e-mail, aby dokończyć rejestrację w Signpost.',
    link: 'Potwierdź e-mail',
    where: 'Otwórz go w przeglądarce użytej do rejestracji albo przygotuj hasło.',
    notYou: 'Jeśli to nie Twoja rejestracja, zignoruj tę wiadomość. Konto nie powstanie.',
  },
  alreadyRegistered: {
    subject: 'Masz już konto',
    text: 'Tego adresu użyto do rejestracji w Signpost, ale ma on już konto. Zaloguj się albo zresetuj hasło, jeśli go nie pamiętasz.',
    link: 'Zaloguj się',
  },
  resetPassword: {
    subject: 'Wybierz nowe hasło',
    text: 'Dla Twojego konta poproszono o nowe hasło.',
    link: 'Wybierz nowe hasło',
  },
  passwordChanged: {
    subject: 'Twoje hasło zostało zmienione',
    text: 'Hasło Twojego konta Signpost zostało właśnie zmienione.',
  },
  approveEmailChange: {
    subject: 'Zatwierdź zmianę adresu e-mail',
    text: (newEmail) =>
      `Poproszono o zmianę Twojego adresu e-mail na ${newEmail}. Zmiana nastąpi po zatwierdzeniu tutaj i potwierdzeniu nowego adresu.`,
    link: 'Zatwierdź zmianę',
    notYou:
      'Jeśli to nie Twoja prośba, nie zatwierdzaj jej. Od razu zmień hasło: ktoś obcy może mieć dostęp do Twojego konta.',
  },
  verifyNewEmail: {
    subject: 'Potwierdź nowy adres e-mail',
    text: (name, email) =>
      `${name} (${email}) chce używać tego adresu e-mail na swoim koncie Signpost.`,
    link: 'Potwierdź e-mail',
    where: 'Otwórz go w przeglądarce zalogowanej do tego konta albo przygotuj jego hasło.',
    notYou:
      'Jeśli to nie Twoje konto, zignoruj tę wiadomość. Bez potwierdzenia nic się nie zmieni.',
  },
  emailChanged: {
    subject: 'Twój adres e-mail został zmieniony',
    text: (newEmail) =>
      `Twoje konto używa teraz adresu ${newEmail}. To ostatnia wiadomość na stary adres.`,
    notYou:
      'Jeśli to nie Twoje działanie, skontaktuj się z operatorem tego serwera. Tym adresem nie można się już zalogować.',
  },
  invitation: {
    subject: 'Zaproszenie do przestrzeni roboczej w Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} zaprasza Cię do przestrzeni roboczej ${workspace} w Signpost. Rola: ${role}.`,
    link: 'Otwórz zaproszenie',
    terms:
      'Tylko ten adres może przyjąć zaproszenie. Wygasa ono za 14 dni. Link potwierdza, że adres należy do Ciebie, więc nie przekazuj tej wiadomości dalej.',
    unknown: 'Jeśli nie znasz nadawcy, zignoruj tę wiadomość.',
  },
  accountDeleted: {
    subject: 'Twoje konto zostało usunięte',
    text: 'Twoje konto zostało usunięte wraz ze wszystkimi danymi, które należały tylko do Ciebie. To nasza ostatnia wiadomość.',
  },
  webhookFailing: {
    subject: 'Dostarczanie webhooków ciągle się nie udaje',
    subjectPaused: 'Punkty końcowe webhooków wstrzymano, bo dostarczanie się nie udaje',
    text: (workspace) =>
      `Żadna dostawa do tych punktów końcowych przestrzeni roboczej ${workspace} się nie udaje:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} przy ostatniej próbie, bez powodzenia od ${since}.`,
    pausedAt: (time) => `Wstrzymano: ${time}.`,
    status: (status) => `status ${status}`,
    noAnswer: (error) => `brak odpowiedzi (${error})`,
    more: (count) =>
      plural(count, {
        one: 'I # inny.',
        few: 'I # inne.',
        many: 'I # innych.',
        other: 'I # innego.',
      }),
    paused:
      'Wstrzymany punkt końcowy niczego nie otrzymuje. Gdy odbiorca znów działa, wznów punkt w panelu: oczekujące dostawy zostaną wtedy wysłane, a ponowienie wyśle to, co wydarzyło się w międzyczasie.',
    kept: 'Dostawy bez dalszych prób są zachowywane. Możesz je ponowić, gdy odbiorca odpowie statusem 2xx.',
    why: 'Otrzymujesz tę wiadomość, bo punkt końcowy ma Twój adres jako failureEmail. Każdy punkt jest zgłaszany raz do następnego powodzenia.',
    whyPaused:
      'Otrzymujesz tę wiadomość, bo punkt końcowy ma Twój adres jako failureEmail albo przestrzeń robocza należy do Ciebie. Każdy punkt jest zgłaszany raz do następnego powodzenia i raz po wstrzymaniu.',
  },
  reportReady: {
    subject: 'Zaplanowany raport jest gotowy',
    text: (report, workspace) =>
      `Raport ${report} z przestrzeni roboczej ${workspace} jest gotowy.`,
    link: 'Otwórz raporty',
    terms: 'Aby go otworzyć, trzeba się zalogować. Plik jest przechowywany przez 30 dni.',
    why: 'Otrzymujesz tę wiadomość jako odbiorca tego raportu. Członek przestrzeni roboczej może Cię usunąć.',
  },
  alert: {
    subject: 'Alert dotyczący linków',
    over: 'Alert się zakończył',
    wholeWorkspace: 'cała przestrzeń robocza',
    high: (target, count, usual) =>
      `${target}: kliknięcia w ostatniej pełnej godzinie: ${count}; zwykle o tej porze: ${usual}.`,
    low: (target, count, usual) =>
      `${target}: w ostatniej pełnej godzinie mało kliknięć: ${count}; zwykle o tej porze: ${usual}.`,
    failing: (target) => `${target}: strona docelowa nie odpowiada albo zwraca błąd.`,
    clicksOver: (target, count) =>
      `${target}: liczba kliknięć jest znów typowa; w ostatniej pełnej godzinie: ${count}.`,
    destinationOver: (target) => `${target}: strona docelowa znów odpowiada.`,
    of: (workspace) => `Przestrzeń robocza: ${workspace}.`,
    link: 'Otwórz alerty',
    why: 'Dostajesz tę wiadomość jako odbiorca tego alertu. Członek przestrzeni roboczej może cię usunąć.',
  },
}

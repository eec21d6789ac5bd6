import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Hasło',
  signIn: 'Zaloguj się',
  openDashboard: 'Otwórz panel',
  gone: {
    title: 'Ten link już nie działa',
    text: 'Link wygasł, został już użyty lub zastąpiony nowszym. Poproś o nowy.',
  },
  verify: {
    title: 'Potwierdź swój e-mail',
    here: (email) => `Rejestracja z adresem ${email} pochodzi z tej przeglądarki.`,
    elsewhere: (email) =>
      `Wpisz hasło wybrane przy rejestracji z adresem ${email}. Jeśli to nie Twoja rejestracja, zamknij tę stronę.`,
    button: 'Potwierdź i zaloguj się',
    readyTitle: 'Twój adres jest potwierdzony',
    notJoined: 'Twoje konto jest gotowe, ale nie należy do przestrzeni roboczej z zaproszenia.',
  },
  reset: {
    title: 'Wybierz nowe hasło',
    text: (email) => `Dla ${email}. Wszystkie pozostałe sesje zostaną wylogowane.`,
    label: 'Nowe hasło (co najmniej 10 znaków)',
    button: 'Zapisz hasło',
    done: {
      title: 'Hasło zmienione',
      text: 'Wszystkie sesje są wylogowane. Zaloguj się nowym hasłem.',
    },
  },
  change: {
    approveTitle: 'Zatwierdź nowy e-mail',
    confirmTitle: 'Potwierdź nowy e-mail',
    facts: (name, email, newEmail) =>
      `Konto ${name} (${email}) przejdzie na ${newEmail}, gdy oba adresy to potwierdzą.`,
    warning: 'Jeśli to nie Twoje konto, zamknij tę stronę: potwierdzenie oddałoby mu Twój adres.',
    password: 'Wpisz hasło tego konta albo najpierw zaloguj się do niego w tej przeglądarce.',
    approve: 'Zatwierdź',
    confirm: 'Potwierdź',
    done: 'Potwierdzono',
    changed: 'Twoje konto używa teraz nowego adresu.',
    almost: 'Prawie gotowe. Teraz potwierdź wiadomość wysłaną na drugi adres.',
  },
  code: {
    title: 'Wpisz kod',
    text: 'Wpisz sześć cyfr z aplikacji uwierzytelniającej albo jeden z kodów zapasowych.',
    label: 'Kod',
  },
  invitation: {
    title: (workspace) => `Zaproszenie do ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} zaprasza Cię do przestrzeni roboczej ${workspace}. Rola: ${role}. Zaproszenie jest dla ${email} i wygasa ${day}.`,
    formerMember: 'Były członek',
    accept: 'Przyjmij',
    decline: 'Odrzuć',
    otherAccount: (email) => `Zalogowane konto to ${email}. To zaproszenie jest dla innego adresu.`,
    toAnswer: (email) => `Aby odpowiedzieć, zaloguj się adresem ${email}.`,
    toAnswerOrSignUp: (email) =>
      `Aby odpowiedzieć, zaloguj się adresem ${email} albo zarejestruj się, jeśli nie masz jeszcze konta.`,
    provider: (name) => `Kontynuuj przez ${name}`,
    signUp: 'Zarejestruj się i dołącz',
    unknown: {
      title: 'Nie znaleziono zaproszenia',
      text: 'Być może zastąpiła je nowsza wiadomość. Otwórz link z ostatniej albo poproś o nowe zaproszenie.',
    },
    closed: 'To zaproszenie jest zamknięte',
    statuses: {
      accepted: 'To zaproszenie jest już przyjęte.',
      rejected: 'To zaproszenie zostało odrzucone.',
      canceled: 'To zaproszenie zostało anulowane.',
      expired: 'To zaproszenie wygasło.',
    },
    joined: (workspace) => `Należysz teraz do ${workspace}`,
    role: (role) => `Twoja rola: ${role}.`,
    declined: 'Zaproszenie odrzucone',
    declinedText: (workspace) =>
      `Nie dołączasz do ${workspace}. Administratorzy widzą Twoją odpowiedź.`,
  },
  report: {
    title: 'Zgłoś krótki link',
    intro:
      'Zgłoszenie trafia do operatora tej usługi. Właściciel linku może przeczytać Twój tekst, ale nie zobaczy Twojego adresu e-mail.',
    url: 'Krótki link',
    reason: 'Co jest nie tak?',
    reasons: {
      phishing: 'Podszywa się pod inną stronę',
      malware: 'Oferuje szkodliwe oprogramowanie',
      spam: 'To spam',
      other: 'Coś innego',
    },
    details: 'Co się stało? (opcjonalnie)',
    email: 'Twój e-mail na wypadek pytań (opcjonalnie)',
    send: 'Wyślij zgłoszenie',
    sent: {
      title: 'Dziękujemy za zgłoszenie',
      text: 'Operator tej usługi przyjrzy się linkowi. Możesz zamknąć tę stronę.',
    },
  },
  failed: {
    title: 'To się nie udało',
    fix: 'Wróć, usuń problem i spróbuj ponownie.',
    wait: 'Spróbuj ponownie za chwilę.',
  },
  errors: {
    length: 'Hasło musi mieć od 10 do 256 znaków.',
    weak: 'To hasło łatwo odgadnąć. Wybierz dłuższe, na przykład kilka niepowiązanych słów.',
    required: 'Wpisz hasło.',
    url: 'To nie jest krótki link tej usługi, taki jak https://links.example.com/spring.',
    VALIDATION_ERROR: 'Jedna z wartości jest nieprawidłowa.',
    UNAUTHORIZED: 'Zaloguj się ponownie.',
    INVALID_CREDENTIALS: 'Hasło jest nieprawidłowe.',
    INVALID_CODE: 'Ten kod jest nieprawidłowy.',
    FORBIDDEN: 'To nie jest dozwolone.',
    NOT_FOUND: 'To już nie istnieje.',
    CONFLICT: 'To nie pasuje do obecnego stanu. Być może jest już zrobione.',
    GONE: 'Link wygasł lub został już użyty.',
    PLAN_LIMIT_REACHED: 'Przestrzeń robocza osiągnęła limit swojego planu.',
    RATE_LIMITED: 'Zbyt wiele prób. Spróbuj ponownie później.',
    UNAVAILABLE: 'Usługa jest teraz niedostępna.',
    INTERNAL_ERROR: 'Coś poszło nie tak na serwerze.',
  },
}

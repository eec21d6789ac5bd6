import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Nie znaleziono linku',
      text: 'Sprawdź, czy w adresie nie ma literówek. Link mógł też zostać wyłączony lub usunięty.',
    },
    pending: {
      title: 'Ten link nie jest jeszcze dostępny',
      text: 'Wróć później lub zapytaj nadawcę, kiedy zacznie działać.',
    },
    expired: {
      title: 'Ten link wygasł',
      text: 'Działał do dnia wybranego przez właściciela. Poproś nadawcę o nowy.',
    },
    exhausted: {
      title: 'Ten link osiągnął limit kliknięć',
      text: 'Można go było otworzyć ograniczoną liczbę razy. Poproś nadawcę o nowy.',
    },
    suspended: {
      title: 'Ten link nie działa',
      text: 'Konto, do którego należy, jest nieaktywne. Zapytaj nadawcę, dokąd miał prowadzić.',
    },
    blocked: {
      title: 'Ten link został zablokowany',
      text: 'Operator tej usługi go wyłączył. Jeśli trafiłeś tu z wiadomości, zachowaj ostrożność wobec wszystkiego, o co ona prosi.',
    },
    noPreview: {
      title: 'Brak podglądu dla tego adresu',
      text: 'Taki link nie istnieje albo nie pokazuje, dokąd prowadzi.',
    },
    malformed: {
      title: 'Ten adres jest nieprawidłowy',
      text: 'Zawiera znaki, których nie ma żaden link. Upewnij się, że skopiowano go w całości.',
    },
    tooLong: {
      title: 'Ten adres jest za długi',
      text: 'Upewnij się, że razem z linkiem nie skopiowano niczego innego.',
    },
    unavailable: {
      title: 'Spróbuj ponownie',
      text: 'Nie możemy teraz odszukać tego linku. Spróbuj ponownie za kilka sekund.',
    },
    broken: {
      title: 'Coś poszło nie tak',
      text: 'Problem leży po naszej stronie. Spróbuj ponownie za kilka sekund.',
    },
  },
  error: 'Błąd',
  reportAbuse: 'Zgłoś nadużycie',
  password: {
    title: 'Ten link wymaga hasła',
    intro: 'Wpisz hasło otrzymane razem z linkiem.',
    wrong: 'Hasło jest nieprawidłowe. Sprawdź je i spróbuj ponownie.',
    label: 'Hasło',
    open: 'Otwórz link',
    cookie: 'Plik cookie pozwala otwierać link w tej przeglądarce przez 12 godzin.',
  },
  attempts: {
    title: 'Zbyt wiele prób',
    wait: (time) => `Hasło nie zostało sprawdzone. Kolejna próba możliwa za: ${time}.`,
    back: 'Wróć do linku',
  },
  app: {
    title: 'Ten link otwiera aplikację',
    without: (host) => `Jeśli nie masz aplikacji, przejdź do ${host}.`,
    open: 'Otwórz aplikację',
    browser: 'Kontynuuj w przeglądarce',
  },
  inspection: {
    title: 'Ten link prowadzi do',
    conditional: 'Zależnie od urządzenia, miejsca lub czasu może prowadzić gdzie indziej.',
    mixedScript:
      'Uwaga: nazwa witryny w tym adresie miesza alfabety lub używa liter podobnych do łacińskich. Upewnij się, że to właściwa witryna.',
  },
}

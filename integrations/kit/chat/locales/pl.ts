import type { ChatTexts } from './en.ts'

export const pl: ChatTexts = {
  review_title:
    '{count, plural, one {# nowy szkic do sprawdzenia} few {# nowe szkice do sprawdzenia} other {# nowych szkiców do sprawdzenia}}',
  review_by: 'od: {author}',
  review_private_title: 'Wiadomość z prywatnej rozmowy',
  review_private: 'Przeczytaj ją w Tidings. Tutaj jej nie widać, bo nie padła publicznie.',
  review_approve: 'Zatwierdź',
  review_edit: 'Edytuj',
  review_decline: 'Odrzuć',
  review_decline_title: 'Odrzucić ten szkic?',
  review_decline_text:
    'Trafi do kosza. Dowie się o tym tylko osoba, która go przysłała, wraz z podziękowaniem. Przez jeden dzień można go przywrócić w Tidings.',
  review_cancel: 'Anuluj',
  review_approved: 'Zatwierdza: {person}',
  review_declined: 'Odrzuca: {person}',
  review_approved_elsewhere: 'Zatwierdzono w Tidings',
  review_declined_elsewhere: 'Usunięto w Tidings',
  review_approved_before:
    'Szkic „{title}” został chwilę wcześniej zatwierdzony ({person}), więc Twój wybór nie został zastosowany.',
  review_declined_before:
    'Szkic „{title}” został chwilę wcześniej odrzucony ({person}), więc Twój wybór nie został zastosowany.',
  review_approved_alike:
    'Szkic „{title}” został chwilę wcześniej zatwierdzony ({person}), zgodnie z Twoim wyborem.',
  review_declined_alike:
    'Szkic „{title}” został chwilę wcześniej odrzucony ({person}), zgodnie z Twoim wyborem.',
  review_approved_elsewhere_before:
    'Szkic „{title}” jest już zatwierdzony, więc nic się nie zmieniło.',
  review_declined_elsewhere_before:
    'Szkic „{title}” został już usunięty, więc nic się nie zmieniło.',
  review_conflict_approve:
    'Szkic „{title}” miał zostać zatwierdzony ({other}), ale wcześniej został odrzucony ({first}). Liczy się pierwszy wybór.',
  review_conflict_decline:
    'Szkic „{title}” miał zostać odrzucony ({other}), ale wcześniej został zatwierdzony ({first}). Liczy się pierwszy wybór.',
  review_done_approved: 'Szkic jest zatwierdzony.',
  review_done_declined: 'Szkic jest odrzucony. Przez jeden dzień można go przywrócić w Tidings.',
  review_missing: 'Ten szkic już nie istnieje, więc nic się nie zmieniło.',
  review_changed:
    'Tekst „{title}” został w międzyczasie zmieniony, więc decyzja nie została zapisana. Przeczytaj obecny tekst i wybierz ponownie.',
  review_in_newsletter:
    'Ten szkic jest już w newsletterze. Najpierw usuń go stamtąd, a potem odrzuć.',
  review_not_linked:
    'Może to zrobić tylko redakcja newslettera, a Twoje konto tutaj do niej nie należy. Tidings rozpoznaje Cię po adresie e-mail, jeśli tutaj i tam jest taki sam.',
  review_viewer:
    'Może to zrobić tylko redakcja newslettera. Administrator Twojego zespołu w Tidings może Cię dodać.',
  published:
    '{count, plural, one {Twoja wiadomość jest} other {Twoje wiadomości są}} w newsletterze „{newsletter}”. Dziękujemy za podzielenie się.',
  published_thanked: 'W newsletterze „{newsletter}” są podziękowania dla Ciebie.',
  published_both:
    '{count, plural, one {Twoja wiadomość jest} other {Twoje wiadomości są}} w newsletterze „{newsletter}” i są tam podziękowania dla Ciebie. Dziękujemy za podzielenie się.',
  published_yours: 'Twoje wiadomości',
  published_thanks: 'Podziękowania dla Ciebie',
  published_read: 'Czytaj newsletter',
  declined: 'Dziękujemy za „{title}”. Redakcja postanowiła tym razem tego nie wykorzystać.',
  messages_off: 'Wyłącz te powiadomienia',
  messages_on: 'Włącz ponownie',
  messages_are_off: 'Nie dostajesz już powiadomień o swoich wiadomościach.',
  messages_off_for_team:
    'Znów chcesz dostawać powiadomienia o swoich wiadomościach. Obecnie nikt ich nie dostaje: administracja newslettera je wyłączyła.',
  messages_are_on: 'Znów dostajesz powiadomienia o swoich wiadomościach.',
  submission_waiting: 'czeka na sprawdzenie',
  submission_approved: 'zatwierdzona',
  submission_in_newsletter: 'w następnym newsletterze',
  submission_published: 'opublikowana',
  submission_not_used: 'tym razem niewykorzystana, dziękujemy za przysłanie',
  submission_deleted: 'Wiadomość, która nie jest już przechowywana',
  submissions_title: 'Co się stało z Twoimi wiadomościami',
  submissions_none:
    'Nie ma jeszcze Twoich wiadomości do newslettera. Napisz na przykład: {before}win Wersja 2 jest gotowa',
  next_title: 'Następny newsletter',
  next_dated:
    'Newsletter „{title}” jest zaplanowany na {date}. Na razie ma {blocks, plural, one {# wpis} few {# wpisy} other {# wpisów}}.',
  next_undated:
    'Newsletter „{title}” jest w przygotowaniu. Na razie ma {blocks, plural, one {# wpis} few {# wpisy} other {# wpisów}}.',
  next_none: 'Żaden newsletter nie jest jeszcze w przygotowaniu.',
  status_counts:
    'Do sprawdzenia: {drafts, plural, one {# wpis} few {# wpisy} other {# wpisów}}. Zatwierdzone do newslettera: {approved, plural, one {# wpis} few {# wpisy} other {# wpisów}}.',
  write_news: 'Napisz wiadomość',
  mention_reply: 'Tutaj możesz zapisać wiadomość do newslettera.',
  unread_reply:
    'Nie mogę odczytać tej wiadomości, więc nie jest jeszcze zapisana. Formularz zawiera to, co napisano.',
  ask_win_what: 'Co udało się osiągnąć? Wystarczy jedno zdanie.',
  ask_news_what: 'Co nowego? Wystarczy jedno zdanie.',
  ask_kudos_what: 'Za co chcesz podziękować?',
  ask_kudos_who: 'Komu chcesz podziękować?',
  ask_welcome_who: 'Kto zaczyna pracę i na jakim stanowisku?',
  ask_mention: 'Oznacz mnie w odpowiedzi: niczego innego na tym kanale nie czytam.',
  nothing_saved: 'Nic nie zapisano.',
  prompt_question: 'Co się udało w tym tygodniu?',
  prompt_text:
    'Nowy klient, coś gotowego, podziękowanie dla kogoś: wystarczy jedno zdanie. To, co napiszesz, sprawdza redakcja newslettera.',
  prompts_off: 'Nie pytaj tu więcej',
  prompts_off_title: 'Nie pytać więcej?',
  prompts_off_text:
    'Na tym kanale nie będzie więcej pytań. Wyłączyć je może tylko redakcja newslettera.',
  prompts_on: 'Pytaj tu znowu',
  prompts_stopped: 'Te pytania są na tym kanale wyłączone.',
  prompts_stopped_by: 'Te pytania na tym kanale wyłącza: {person}.',
  reminder: '{question} Często masz wiadomości do newslettera, a na to wydanie jest jeszcze czas.',
  reminders_off: 'Bez przypomnień',
  reminders_on: 'Przypominaj mi znowu',
  reminders_are_off: 'Nie dostajesz już przypomnień.',
  reminders_are_on: 'Znów dostajesz przypomnienia.',
  home_prompts: 'Pytania o wiadomości',
  home_prompt_replies:
    '„{question}” na {channel}, {date}: {count, plural, =0 {brak odpowiedzi} one {# odpowiedź} few {# odpowiedzi} many {# odpowiedzi} other {# odpowiedzi}}',
  account_link:
    '{link}, aby powiedzieć, kim jesteś w Tidings. Link działa raz, przez 15 minut, i jest tylko dla Ciebie.',
  account_link_label: 'Połącz swoje konto',
  edit_title: 'Edytuj szkic',
  edit_open: 'Otwórz w Tidings',
  edit_in_tidings:
    'Ten formularz nie może pokazać całego tekstu, więc tutaj można zmienić tylko tytuł.',
  edit_saved: 'Twoja zmiana jest zapisana.',
  edit_conflict:
    '„{title}” zmienia w tym samym czasie {person}, więc Twój tekst nie został zapisany. Oto Twój tekst:',
  edit_conflict_elsewhere:
    '„{title}” zmieniono w tym samym czasie, więc Twój tekst nie został zapisany. Oto Twój tekst:',
  edit_conflict_first:
    '„{title}” w chwili Twojego zapisu zmieniała też inna osoba: {person}. Liczy się Twoja wersja, a ta osoba o tym wie.',
  edit_reviewed:
    '„{title}” sprawdzono w tym samym czasie, więc Twój tekst nie został zapisany. Oto Twój tekst:',
  edit_written: 'Oto Twój tekst:',
  home_review: 'Czeka na Twoje sprawdzenie',
  home_review_oldest: 'To są najstarsze szkice. {link} zawiera wszystkie.',
  home_review_none: 'Żaden szkic nie czeka na sprawdzenie.',
  home_welcome: 'Wiadomości do newslettera',
  command_help:
    '`/win Wersja 2 jest gotowa` zapisuje sukces do newslettera.\n`/news`, `/kudos` i `/welcome` robią to samo z wiadomościami, podziękowaniami i powitaniami nowych osób.\nPolecenie bez tekstu otwiera formularz. Aby zapisać czyjąś wiadomość, użyj „Add to newsletter” w jej menu.\nTo, co zapiszesz, redakcja sprawdza przed wysłaniem.',
  too_long: 'To jest za długie (ponad 64 KiB), więc nic nie zapisano.',
  elsewhere: 'To polecenie należy do newslettera innego obszaru roboczego, więc nic nie zapisano.',
  undo: 'Cofnij',
  undo_not_yours: 'Cofnąć to może tylko osoba, która to zapisała.',
  in_library: 'Zapisano do newslettera: {link}',
  in_library_already: 'To jest już zapisane do newslettera: {link}',
  undone: 'Usunięto: nie będzie tego w newsletterze.',
  undone_kept: 'To jest już w newsletterze, więc zostaje: {links}. Redakcja może to usunąć.',
  not_saved:
    'To nie zostało zapisane. Administratorzy newslettera widzą dlaczego i mogą to powtórzyć.',
  not_public:
    'W ten sposób można zapisać tylko wiadomości z kanałów publicznych. Zanim zapiszesz inną wiadomość, zapytaj jej autora. Potem wpisz ją w formularzu.',
  not_undone: 'Nie udało się tego cofnąć. Administratorzy newslettera widzą dlaczego.',
  action_failed:
    'To się nie udało. Administratorzy newslettera widzą dlaczego i mogą to powtórzyć.',
  done: 'Gotowe.',
  form_title: 'Do newslettera',
  form_save: 'Zapisz',
  form_cancel: 'Anuluj',
  form_field_title: 'Tytuł',
  form_title_missing: 'Napisz tytuł.',
  form_title_too_long: 'Tytuł jest za długi: może mieć najwyżej {max, number} znaków.',
  form_field_text: 'Tekst',
  form_field_kind: 'Rodzaj',
  form_field_event: 'Wydarzenie',
  form_no_event: 'Brak',
  type_general: 'Wiadomość',
  type_ceo_update: 'Od zarządu',
  type_team_spotlight: 'Zespół w centrum uwagi',
  type_new_starter: 'Nowa osoba w zespole',
  type_policy_change: 'Zmiana zasad',
  type_event_announcement: 'Wydarzenie',
  type_wins_milestones: 'Sukces lub kamień milowy',
  type_poll: 'Ankieta',
  type_learning_development: 'Szkolenia i rozwój',
  form_private:
    'Uwaga: ta wiadomość pochodzi z prywatnej rozmowy. To, co tu zapiszesz, przeczytają wszyscy, którzy dostają newsletter. Zapytaj najpierw osobę, która ją napisała.',
  form_author: 'Napisane przez: {author}. To nazwisko pojawi się przy tekście.',
  form_image: 'Zapisany zostanie też obraz z tej wiadomości.',
  form_shortened: 'Wiadomość jest za długa na formularz: usunięto jej koniec.',
  not_opened:
    'Nie udało się tego otworzyć, więc nic nie zostało zmienione. Użyj przycisku ponownie.',
  form_not_opened:
    'Formularz się nie otworzył, więc nic nie zapisano. Spróbuj ponownie albo napisz wiadomość po poleceniu: `{before}win Wersja 2 jest gotowa`.',
  saved: 'Zapisano do newslettera.',
  saved_link_follows: 'Zapisano. Link pojawi się tutaj za chwilę.',
  saved_by_reaction:
    'Zapisano do newslettera: {link}. Najpierw sprawdzi to redakcja. Aby to cofnąć, usuń reakcję w ciągu dziesięciu minut.',
  nothing_written: 'Nie było tekstu, więc nic nie zapisano.',
  elsewhere_server: 'To należy do newslettera innego serwera, więc nic nie zapisano.',
  help_win: '`{before}win Wersja 2 jest gotowa` zapisuje sukces do newslettera.',
  help_other:
    '`{before}news …`, `{before}kudos …` i `{before}welcome …` robią to samo z wiadomościami, podziękowaniami i powitaniami nowych osób.',
  help_review: 'To, co zapiszesz, redakcja sprawdza przed wysłaniem.',
  form_everyone: 'Przeczytają to wszyscy, którzy dostają newsletter.',
  form_written_by: 'Napisane przez: {author}.',
  form_field_image: 'Obraz',
  form_image_hint: 'Usuń adres, aby pominąć obraz.',
  form_field_alt: 'Opis obrazu',
  form_alt_hint: 'Dla osób, które go nie widzą.',
  tidings_help:
    '`{command}next` pokazuje następny newsletter, `{command}mine`, co się stało z Twoimi wiadomościami, a `{command}status`, ile czeka na sprawdzenie.\n`{command}off` wyłącza powiadomienia o Twoich wiadomościach, a `{command}on` je włącza. `{command}link` łączy Twoje konto tutaj z kontem w Tidings.',
  tidings_help_commands: '`/win`, `/news`, `/kudos` i `/welcome` zapisują coś do newslettera.',
}

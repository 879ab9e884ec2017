import type { ChatTexts } from './en.ts'

export const it: ChatTexts = {
  review_title:
    '{count, plural, one {# nuova bozza da rivedere} other {# nuove bozze da rivedere}}',
  review_by: 'di {author}',
  review_private_title: 'Una notizia da una conversazione privata',
  review_private:
    'Leggila in Tidings. Qui non viene mostrata, perché non è stata detta in pubblico.',
  review_approve: 'Approva',
  review_edit: 'Modifica',
  review_decline: 'Rifiuta',
  review_decline_title: 'Rifiutare questa bozza?',
  review_decline_text:
    'Andrà nel cestino. Lo saprà solo chi l’ha inviata, con un ringraziamento. Si può ripristinare in Tidings per un giorno.',
  review_cancel: 'Annulla',
  review_approved: 'Approvata da {person}',
  review_declined: 'Rifiutata da {person}',
  review_approved_elsewhere: 'Approvata in Tidings',
  review_declined_elsewhere: 'Rimossa in Tidings',
  review_approved_before:
    '{person} ha approvato «{title}» poco prima di te, quindi la tua scelta non è stata applicata.',
  review_declined_before:
    '{person} ha rifiutato «{title}» poco prima di te, quindi la tua scelta non è stata applicata.',
  review_approved_alike: '{person} ha approvato «{title}» poco prima di te, come volevi anche tu.',
  review_declined_alike: '{person} ha rifiutato «{title}» poco prima di te, come volevi anche tu.',
  review_approved_elsewhere_before:
    'La bozza «{title}» è già approvata, quindi non è cambiato nulla.',
  review_declined_elsewhere_before:
    'La bozza «{title}» era già stata rimossa, quindi non è cambiato nulla.',
  review_conflict_approve:
    '{other} voleva approvare «{title}» dopo il rifiuto di {first}. Vale la prima scelta.',
  review_conflict_decline:
    '{other} voleva rifiutare «{title}» dopo l’approvazione di {first}. Vale la prima scelta.',
  review_done_approved: 'La bozza è approvata.',
  review_done_declined: 'La bozza è rifiutata. Si può ripristinare in Tidings per un giorno.',
  review_missing: 'Questa bozza non esiste più, quindi non è cambiato nulla.',
  review_changed:
    '«{title}» è cambiata da quando l’hai letta, quindi non è stato deciso nulla. Leggi il testo attuale e scegli di nuovo.',
  review_in_newsletter:
    'Questa bozza è già in una newsletter. Rimuovila prima da lì, poi rifiutala.',
  review_not_linked:
    'Può farlo solo la redazione della newsletter, e il tuo account qui non ne fa parte. Tidings ti riconosce dal tuo indirizzo e-mail se è lo stesso qui e lì.',
  review_viewer:
    'Può farlo solo la redazione della newsletter. Un amministratore del tuo team in Tidings può aggiungerti.',
  published:
    '{count, plural, one {La tua notizia è} other {Le tue notizie sono}} nella newsletter «{newsletter}». Grazie per la condivisione.',
  published_thanked: 'Nella newsletter «{newsletter}» c’è un ringraziamento per te.',
  published_both:
    '{count, plural, one {La tua notizia è} other {Le tue notizie sono}} nella newsletter «{newsletter}», e lì c’è anche un ringraziamento per te. Grazie per la condivisione.',
  published_yours: 'Le tue notizie',
  published_thanks: 'Ringraziamenti per te',
  published_read: 'Leggi la newsletter',
  declined: 'Grazie per aver inviato «{title}». La redazione ha deciso di non usarla questa volta.',
  messages_off: 'Disattiva questi messaggi',
  messages_on: 'Riattiva',
  messages_are_off: 'Non riceverai più messaggi sulle tue notizie.',
  messages_off_for_team:
    'Vuoi ricevere di nuovo messaggi sulle tue notizie. Al momento nessuno li riceve: l’amministrazione della newsletter li ha disattivati.',
  messages_are_on: 'Ricevi di nuovo messaggi sulle tue notizie.',
  submission_waiting: 'in attesa di revisione',
  submission_approved: 'approvata',
  submission_in_newsletter: 'nella prossima newsletter',
  submission_published: 'pubblicata',
  submission_not_used: 'non usata questa volta, grazie per averla inviata',
  submission_deleted: 'Una notizia che non è più conservata',
  submissions_title: 'Che cosa ne è stato delle tue notizie',
  submissions_none:
    'Non hai ancora inviato notizie. Scrivi, per esempio: {before}win La versione 2 è pronta',
  next_title: 'Prossima newsletter',
  next_dated:
    '«{title}» è prevista per il {date}. Per ora contiene {blocks, plural, one {# notizia} other {# notizie}}.',
  next_undated:
    '«{title}» è in preparazione. Per ora contiene {blocks, plural, one {# notizia} other {# notizie}}.',
  next_none: 'Non c’è ancora nessuna newsletter in preparazione.',
  status_counts:
    '{drafts, plural, =0 {Nulla attende} one {# notizia attende} other {# notizie attendono}} una revisione. {approved, plural, =0 {Nulla è approvato} one {# notizia è approvata} other {# notizie sono approvate}} per una newsletter.',
  write_news: 'Scrivi una notizia',
  mention_reply: 'Qui puoi salvare una notizia per la newsletter.',
  unread_reply:
    'Non sono riuscito a leggere questo messaggio, quindi non è ancora salvato. Il modulo contiene quello che hai scritto.',
  ask_win_what: 'Che cosa è stato raggiunto? Basta una frase.',
  ask_news_what: 'Qual è la notizia? Basta una frase.',
  ask_kudos_what: 'Per che cosa vuoi ringraziare?',
  ask_kudos_who: 'Chi vuoi ringraziare?',
  ask_welcome_who: 'Chi inizia, e in quale ruolo?',
  ask_mention: 'Menzionami nella risposta: non leggo nient’altro in questo canale.',
  nothing_saved: 'Non è stato salvato nulla.',
  prompt_question: 'Che cosa è andato bene questa settimana?',
  prompt_text:
    'Un nuovo cliente, qualcosa di finito, qualcuno da ringraziare: basta una frase. La redazione della newsletter rilegge ciò che scrivi.',
  prompts_off: 'Non chiedere più qui',
  prompts_off_title: 'Non chiedere più?',
  prompts_off_text:
    'In questo canale non verranno più pubblicate domande. Solo la redazione della newsletter può disattivarle.',
  prompts_on: 'Chiedi di nuovo qui',
  prompts_stopped: 'Queste domande sono disattivate in questo canale.',
  prompts_stopped_by: '{person} ha disattivato queste domande in questo canale.',
  reminder:
    '{question} Hai spesso notizie per la newsletter, e per questo numero c’è ancora tempo.',
  reminders_off: 'Niente più promemoria',
  reminders_on: 'Riattiva i promemoria',
  reminders_are_off: 'Non riceverai più promemoria.',
  reminders_are_on: 'Ricevi di nuovo i promemoria.',
  home_prompts: 'Domande sulle notizie',
  home_prompt_replies:
    '«{question}» in {channel}, {date}: {count, plural, =0 {nessuna risposta} one {# risposta} other {# risposte}}',
  account_link:
    '{link} per dire chi sei in Tidings. Il link vale una volta, per 15 minuti, ed è solo per te.',
  account_link_label: 'Collega il tuo account',
  edit_title: 'Modifica la bozza',
  edit_open: 'Apri in Tidings',
  edit_in_tidings:
    'Questo modulo non può mostrare tutto il testo, quindi qui si può modificare solo il titolo.',
  edit_saved: 'La tua modifica è salvata.',
  edit_conflict:
    '{person} ha modificato «{title}» mentre scrivevi, quindi il tuo testo non è stato salvato. Ecco che cosa hai scritto:',
  edit_conflict_elsewhere:
    '«{title}» è stata modificata mentre scrivevi, quindi il tuo testo non è stato salvato. Ecco che cosa hai scritto:',
  edit_conflict_first:
    'Anche {person} stava scrivendo «{title}» quando hai salvato. Vale la tua versione, e {person} lo sa.',
  edit_reviewed:
    '«{title}» è stata revisionata mentre scrivevi, quindi il tuo testo non è stato salvato. Ecco che cosa hai scritto:',
  edit_written: 'Ecco che cosa hai scritto:',
  home_review: 'In attesa della tua revisione',
  home_review_oldest: 'Queste sono le bozze più vecchie. {link} le contiene tutte.',
  home_review_none: 'Nessuna bozza attende una revisione.',
  home_welcome: 'Notizie per la newsletter',
  command_help:
    '`/win La versione 2 è pronta` salva un successo per la newsletter.\n`/news`, `/kudos` e `/welcome` fanno lo stesso per notizie, ringraziamenti e nuovi colleghi.\nUn comando senza testo apre un modulo. Per salvare un messaggio, usa «Add to newsletter» nel suo menu.\nLa redazione rivede quello che salvi prima dell’invio.',
  too_long: 'Questo testo è troppo lungo (più di 64 KiB), quindi non è stato salvato nulla.',
  elsewhere:
    'Questo comando appartiene alla newsletter di un’altra area di lavoro, quindi non è stato salvato nulla.',
  undo: 'Annulla l’invio',
  undo_not_yours: 'Può annullarlo solo chi l’ha salvato.',
  in_library: 'Salvato per la newsletter: {link}',
  in_library_already: 'È già salvato per la newsletter: {link}',
  undone: 'Rimosso: non sarà nella newsletter.',
  undone_kept: 'È già in una newsletter, quindi resta: {links}. La redazione può rimuoverlo.',
  not_saved:
    'Questo non è stato salvato. Gli amministratori della newsletter possono vedere perché e riprovare.',
  not_public:
    'In questo modo si possono salvare solo i messaggi dei canali pubblici. Prima di salvare un altro messaggio, chiedi a chi l’ha scritto. Poi scrivilo nel modulo.',
  not_undone:
    'Non è stato possibile annullare. Gli amministratori della newsletter possono vedere perché.',
  action_failed:
    'Non ha funzionato. Gli amministratori della newsletter possono vedere perché e riprovare.',
  done: 'Fatto.',
  form_title: 'Per la newsletter',
  form_save: 'Salva',
  form_cancel: 'Annulla',
  form_field_title: 'Titolo',
  form_title_missing: 'Scrivi un titolo.',
  form_title_too_long: 'Il titolo è troppo lungo: può avere {max, number} caratteri.',
  form_field_text: 'Testo',
  form_field_kind: 'Tipo',
  form_field_event: 'Evento',
  form_no_event: 'Nessuno',
  type_general: 'Notizia',
  type_ceo_update: 'Dalla direzione',
  type_team_spotlight: 'Team in primo piano',
  type_new_starter: 'Nuovo ingresso',
  type_policy_change: 'Nuova regola',
  type_event_announcement: 'Evento',
  type_wins_milestones: 'Successo o traguardo',
  type_poll: 'Sondaggio',
  type_learning_development: 'Formazione',
  form_private:
    'Attenzione: questo messaggio viene da una conversazione privata. Tutti quelli che ricevono la newsletter potranno leggere ciò che salvi qui. Chiedi prima a chi l’ha scritto.',
  form_author: 'Scritto da {author}: il nome comparirà insieme al testo.',
  form_image: 'Viene salvata anche l’immagine del messaggio.',
  form_shortened: 'Il messaggio è troppo lungo per un modulo: la fine è stata tolta.',
  not_opened: 'Non si è aperto, quindi non è stato modificato nulla. Usa di nuovo il pulsante.',
  form_not_opened:
    'Il modulo non si è aperto, quindi non è stato salvato nulla. Riprova, oppure scrivi la notizia dopo il comando: `{before}win La versione 2 è pronta`.',
  saved: 'Salvato per la newsletter.',
  saved_link_follows: 'Salvato. Il link apparirà qui tra poco.',
  saved_by_reaction:
    'Salvato per la newsletter: {link}. Prima lo rivede la redazione. Togli la reazione entro dieci minuti per annullare.',
  nothing_written: 'Non c’era testo, quindi non è stato salvato nulla.',
  elsewhere_server:
    'Questo appartiene alla newsletter di un altro server, quindi non è stato salvato nulla.',
  help_win: '`{before}win La versione 2 è pronta` salva un successo per la newsletter.',
  help_other:
    '`{before}news …`, `{before}kudos …` e `{before}welcome …` fanno lo stesso per notizie, ringraziamenti e nuovi colleghi.',
  help_review: 'La redazione rivede quello che salvi prima dell’invio.',
  form_everyone: 'Tutti quelli che ricevono la newsletter possono leggerlo.',
  form_written_by: 'Scritto da {author}.',
  form_field_image: 'Immagine',
  form_image_hint: 'Cancella l’indirizzo per non includere l’immagine.',
  form_field_alt: 'Descrizione dell’immagine',
  form_alt_hint: 'Per chi non può vederla.',
  tidings_help:
    '`{command}next` mostra la prossima newsletter, `{command}mine` che cosa ne è stato delle tue notizie e `{command}status` quante attendono una revisione.\n`{command}off` disattiva i messaggi sulle tue notizie, `{command}on` li riattiva. `{command}link` collega il tuo account qui con quello di Tidings.',
  tidings_help_commands:
    '`/win`, `/news`, `/kudos` e `/welcome` salvano qualcosa per la newsletter.',
}

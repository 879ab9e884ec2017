import type { ChatTexts } from './en.ts'

export const pt: ChatTexts = {
  review_title:
    '{count, plural, one {# novo rascunho para revisar} other {# novos rascunhos para revisar}}',
  review_by: 'de {author}',
  review_private_title: 'Uma notícia de uma conversa privada',
  review_private: 'Leia no Tidings. Ela não aparece aqui porque não foi dita em público.',
  review_approve: 'Aprovar',
  review_edit: 'Editar',
  review_decline: 'Recusar',
  review_decline_title: 'Recusar este rascunho?',
  review_decline_text:
    'Ele vai para a lixeira. Só a pessoa que o enviou fica sabendo, com um agradecimento. Ele pode ser restaurado no Tidings durante um dia.',
  review_cancel: 'Cancelar',
  review_approved: 'Aprovado por {person}',
  review_declined: 'Recusado por {person}',
  review_approved_elsewhere: 'Aprovado no Tidings',
  review_declined_elsewhere: 'Removido no Tidings',
  review_approved_before:
    '{person} aprovou “{title}” pouco antes de você, por isso a sua escolha não foi aplicada.',
  review_declined_before:
    '{person} recusou “{title}” pouco antes de você, por isso a sua escolha não foi aplicada.',
  review_approved_alike:
    '{person} aprovou “{title}” pouco antes de você, como você também escolheu.',
  review_declined_alike:
    '{person} recusou “{title}” pouco antes de você, como você também escolheu.',
  review_approved_elsewhere_before: '“{title}” já está aprovado, por isso nada mudou.',
  review_declined_elsewhere_before: '“{title}” já tinha sido removido, por isso nada mudou.',
  review_conflict_approve:
    '{other} quis aprovar “{title}” depois que {first} recusou. Vale a primeira escolha.',
  review_conflict_decline:
    '{other} quis recusar “{title}” depois que {first} aprovou. Vale a primeira escolha.',
  review_done_approved: 'O rascunho está aprovado.',
  review_done_declined:
    'O rascunho foi recusado. Ele pode ser restaurado no Tidings durante um dia.',
  review_missing: 'Este rascunho não existe mais, por isso nada mudou.',
  review_changed:
    '“{title}” mudou desde que você leu, por isso nada foi decidido. Leia o texto atual e escolha de novo.',
  review_in_newsletter:
    'Este rascunho já está em uma newsletter. Remova-o primeiro de lá e depois recuse.',
  review_not_linked:
    'Só a redação da newsletter pode fazer isso, e a sua conta daqui não faz parte dela. O Tidings reconhece você pelo seu endereço de e-mail quando ele é o mesmo aqui e lá.',
  review_viewer:
    'Só a redação da newsletter pode fazer isso. Um administrador da sua equipe no Tidings pode incluir você.',
  published:
    '{count, plural, one {Sua notícia está} other {Suas notícias estão}} na newsletter “{newsletter}”. Agradecemos por compartilhar.',
  published_thanked: 'Na newsletter “{newsletter}” há um agradecimento a você.',
  published_both:
    '{count, plural, one {Sua notícia está} other {Suas notícias estão}} na newsletter “{newsletter}”, e lá também há um agradecimento a você. Agradecemos por compartilhar.',
  published_yours: 'Suas notícias',
  published_thanks: 'Agradecimentos a você',
  published_read: 'Ler a newsletter',
  declined: 'Agradecemos por enviar “{title}”. A redação decidiu não usar desta vez.',
  messages_off: 'Desativar estas mensagens',
  messages_on: 'Ativar de novo',
  messages_are_off: 'Você não recebe mais mensagens sobre as suas notícias.',
  messages_off_for_team:
    'Você quer voltar a receber mensagens sobre as suas notícias. No momento ninguém as recebe: a administração da newsletter as desativou.',
  messages_are_on: 'Você voltou a receber mensagens sobre as suas notícias.',
  submission_waiting: 'aguardando revisão',
  submission_approved: 'aprovada',
  submission_in_newsletter: 'na próxima newsletter',
  submission_published: 'publicada',
  submission_not_used: 'não usada desta vez, agradecemos o envio',
  submission_deleted: 'Uma notícia que já não está guardada',
  submissions_title: 'O que aconteceu com as suas notícias',
  submissions_none:
    'Você ainda não enviou notícias. Escreva, por exemplo: {before}win A versão 2 está pronta',
  next_title: 'Próxima newsletter',
  next_dated:
    '“{title}” está prevista para {date}. Por enquanto tem {blocks, plural, =0 {0 itens} one {# item} other {# itens}}.',
  next_undated:
    '“{title}” está em preparação. Por enquanto tem {blocks, plural, =0 {0 itens} one {# item} other {# itens}}.',
  next_none: 'Nenhuma newsletter está em preparação ainda.',
  status_counts:
    '{drafts, plural, =0 {Nada aguarda} one {# item aguarda} other {# itens aguardam}} revisão. {approved, plural, =0 {Nada está aprovado} one {# item está aprovado} other {# itens estão aprovados}} para uma newsletter.',
  write_news: 'Escrever uma notícia',
  mention_reply: 'Aqui você pode salvar notícias para a newsletter.',
  unread_reply:
    'Não consegui ler esta mensagem, por isso ela ainda não foi salva. O formulário contém o que você escreveu.',
  ask_win_what: 'O que foi alcançado? Uma frase basta.',
  ask_news_what: 'Qual é a notícia? Uma frase basta.',
  ask_kudos_what: 'Pelo que você quer agradecer?',
  ask_kudos_who: 'A quem você quer agradecer?',
  ask_welcome_who: 'Quem está começando, e em que função?',
  ask_mention: 'Mencione-me na sua resposta: não leio mais nada neste canal.',
  nothing_saved: 'Nada foi salvo.',
  prompt_question: 'O que deu certo nesta semana?',
  prompt_text:
    'Um novo cliente, algo concluído, alguém a agradecer: basta uma frase. A redação da newsletter revisa o que você escreve.',
  prompts_off: 'Não perguntar mais aqui',
  prompts_off_title: 'Parar de perguntar?',
  prompts_off_text:
    'Nenhuma pergunta será mais publicada neste canal. Só a redação da newsletter pode desativá-las.',
  prompts_on: 'Voltar a perguntar aqui',
  prompts_stopped: 'Estas perguntas estão desativadas neste canal.',
  prompts_stopped_by: '{person} desativou estas perguntas neste canal.',
  reminder:
    '{question} Você costuma ter notícias para a newsletter, e ainda dá tempo para esta edição.',
  reminders_off: 'Sem mais lembretes',
  reminders_on: 'Voltar a lembrar',
  reminders_are_off: 'Você não recebe mais lembretes.',
  reminders_are_on: 'Você voltou a receber lembretes.',
  home_prompts: 'Perguntas por notícias',
  home_prompt_replies:
    '“{question}” em {channel}, {date}: {count, plural, =0 {nenhuma resposta} one {# resposta} other {# respostas}}',
  account_link:
    '{link} para dizer quem você é no Tidings. O link funciona uma vez, por 15 minutos, e é só para você.',
  account_link_label: 'Vincule a sua conta',
  edit_title: 'Editar o rascunho',
  edit_open: 'Abrir no Tidings',
  edit_in_tidings:
    'Este formulário não pode mostrar todo o texto, por isso aqui só é possível mudar o título.',
  edit_saved: 'A sua alteração foi salva.',
  edit_conflict:
    '{person} mudou “{title}” enquanto você escrevia, por isso o seu texto não foi salvo. Foi isto que você escreveu:',
  edit_conflict_elsewhere:
    '“{title}” foi alterado enquanto você escrevia, por isso o seu texto não foi salvo. Foi isto que você escreveu:',
  edit_conflict_first:
    '{person} também escrevia “{title}” quando você salvou. Vale a sua versão, e {person} sabe disso.',
  edit_reviewed:
    '“{title}” foi revisado enquanto você escrevia, por isso o seu texto não foi salvo. Foi isto que você escreveu:',
  edit_written: 'Foi isto que você escreveu:',
  home_review: 'Aguardando a sua revisão',
  home_review_oldest: 'Estes são os rascunhos mais antigos. {link} tem todos.',
  home_review_none: 'Nenhum rascunho aguarda revisão.',
  home_welcome: 'Notícias para a newsletter',
  command_help:
    '`/win A versão 2 está pronta` salva uma conquista para a newsletter.\n`/news`, `/kudos` e `/welcome` fazem o mesmo com notícias, agradecimentos e novos colegas.\nUm comando sem texto abre um formulário. Para salvar uma mensagem, use “Add to newsletter” no menu dela.\nA redação revisa o que você salva antes do envio.',
  too_long: 'Isto é longo demais (mais de 64 KiB), por isso nada foi salvo.',
  elsewhere: 'Este comando pertence à newsletter de outro workspace, por isso nada foi salvo.',
  undo: 'Desfazer',
  undo_not_yours: 'Só a pessoa que salvou pode desfazer.',
  in_library: 'Salvo para a newsletter: {link}',
  in_library_already: 'Isto já está salvo para a newsletter: {link}',
  undone: 'Removido: não sairá na newsletter.',
  undone_kept: 'Já está em uma newsletter, por isso fica: {links}. A redação pode remover.',
  not_saved:
    'Isto não foi salvo. Os administradores da sua newsletter podem ver o motivo e repetir.',
  not_public:
    'Assim só é possível salvar mensagens de canais públicos. Antes de salvar outra mensagem, pergunte a quem a escreveu. Depois escreva-a no formulário.',
  not_undone: 'Não foi possível desfazer. Os administradores da sua newsletter podem ver o motivo.',
  action_failed:
    'Não funcionou. Os administradores da sua newsletter podem ver o motivo e repetir.',
  done: 'Feito.',
  form_title: 'Para a newsletter',
  form_save: 'Salvar',
  form_cancel: 'Cancelar',
  form_field_title: 'Título',
  form_title_missing: 'Escreva um título.',
  form_title_too_long: 'O título é longo demais: ele pode ter {max, number} caracteres.',
  form_field_text: 'Texto',
  form_field_kind: 'Tipo',
  form_field_event: 'Evento',
  form_no_event: 'Nenhum',
  type_general: 'Notícia',
  type_ceo_update: 'Mensagem da direção',
  type_team_spotlight: 'Equipe em destaque',
  type_new_starter: 'Nova pessoa na equipe',
  type_policy_change: 'Mudança de regras',
  type_event_announcement: 'Evento',
  type_wins_milestones: 'Conquista ou marco',
  type_poll: 'Enquete',
  type_learning_development: 'Formação',
  form_private:
    'Atenção: esta mensagem vem de uma conversa privada. Todas as pessoas que recebem a newsletter poderão ler o que você salvar aqui. Pergunte antes a quem escreveu.',
  form_author: 'Escrito por {author}, cujo nome aparece junto ao texto.',
  form_image: 'A imagem da mensagem também é salva.',
  form_shortened: 'A mensagem é longa demais para um formulário: o final foi retirado.',
  not_opened: 'Não foi possível abrir, por isso nada foi alterado. Use o botão de novo.',
  form_not_opened:
    'O formulário não abriu, por isso nada foi salvo. Tente de novo ou escreva a notícia depois do comando: `{before}win A versão 2 está pronta`.',
  saved: 'Salvo para a newsletter.',
  saved_link_follows: 'Salvo. O link aparecerá aqui em instantes.',
  saved_by_reaction:
    'Salvo para a newsletter: {link}. A redação revisa antes. Remova a reação em até dez minutos para desfazer.',
  nothing_written: 'Não havia texto, por isso nada foi salvo.',
  elsewhere_server: 'Isto pertence à newsletter de outro servidor, por isso nada foi salvo.',
  help_win: '`{before}win A versão 2 está pronta` salva uma conquista para a newsletter.',
  help_other:
    '`{before}news …`, `{before}kudos …` e `{before}welcome …` fazem o mesmo com notícias, agradecimentos e novos colegas.',
  help_review: 'A redação revisa o que você salva antes do envio.',
  form_everyone: 'Todas as pessoas que recebem a newsletter podem ler isto.',
  form_written_by: 'Escrito por {author}.',
  form_field_image: 'Imagem',
  form_image_hint: 'Apague o endereço para não incluir a imagem.',
  form_field_alt: 'Descrição da imagem',
  form_alt_hint: 'Para quem não pode ver a imagem.',
  tidings_help:
    '`{command}next` mostra a próxima newsletter, `{command}mine` o que aconteceu com as suas notícias e `{command}status` quantas aguardam revisão.\n`{command}off` desativa as mensagens sobre as suas notícias, e `{command}on` ativa de novo. `{command}link` vincula a sua conta daqui à do Tidings.',
  tidings_help_commands: '`/win`, `/news`, `/kudos` e `/welcome` salvam algo para a newsletter.',
}

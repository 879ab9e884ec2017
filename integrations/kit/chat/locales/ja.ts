import type { ChatTexts } from './en.ts'

export const ja: ChatTexts = {
  review_title: '確認待ちの新しい下書きが {count, number} 件あります',
  review_by: '{author}さんより',
  review_private_title: '非公開の会話からのニュース',
  review_private:
    'Tidings で読んでください。公の場での発言ではないため、ここには表示していません。',
  review_approve: '承認',
  review_edit: '編集',
  review_decline: '却下',
  review_decline_title: 'この下書きを却下しますか？',
  review_decline_text:
    'ごみ箱に移動します。投稿した本人にだけ、お礼とともに知らせます。1 日以内なら Tidings で元に戻せます。',
  review_cancel: 'キャンセル',
  review_approved: '{person}さんが承認しました',
  review_declined: '{person}さんが却下しました',
  review_approved_elsewhere: 'Tidings で承認されました',
  review_declined_elsewhere: 'Tidings で削除されました',
  review_approved_before:
    '{person}さんが先に「{title}」を承認したため、あなたの選択は反映されませんでした。',
  review_declined_before:
    '{person}さんが先に「{title}」を却下したため、あなたの選択は反映されませんでした。',
  review_approved_alike: '{person}さんが先に「{title}」を承認しました。あなたの選択と同じです。',
  review_declined_alike: '{person}さんが先に「{title}」を却下しました。あなたの選択と同じです。',
  review_approved_elsewhere_before: '「{title}」はすでに承認されているため、何も変更していません。',
  review_declined_elsewhere_before: '「{title}」はすでに削除されているため、何も変更していません。',
  review_conflict_approve:
    '{first}さんが却下した後に、{other}さんが「{title}」の承認を選びました。先の選択が有効です。',
  review_conflict_decline:
    '{first}さんが承認した後に、{other}さんが「{title}」の却下を選びました。先の選択が有効です。',
  review_done_approved: '下書きを承認しました。',
  review_done_declined: '下書きを却下しました。1 日以内なら Tidings で元に戻せます。',
  review_missing: 'この下書きはすでに存在しないため、何も変更していません。',
  review_changed:
    '「{title}」はあなたが読んだ後に変更されたため、何も決定していません。現在の文章を読んで、もう一度選んでください。',
  review_in_newsletter:
    'この下書きはすでにニュースレターに入っています。先にそこから外してから却下してください。',
  review_not_linked:
    'この操作はニュースレターの編集者だけができます。こちらのアカウントは編集者ではありません。メールアドレスがこちらと Tidings で同じであれば、Tidings はあなたを認識できます。',
  review_viewer:
    'この操作はニュースレターの編集者だけができます。Tidings のチームの管理者に追加を依頼してください。',
  published:
    'あなたのニュースがニュースレター「{newsletter}」に{count, plural, =1 {} other { {count, number} 件}}掲載されました。共有ありがとうございます。',
  published_thanked: 'ニュースレター「{newsletter}」にあなたへの感謝が掲載されました。',
  published_both:
    'あなたのニュースがニュースレター「{newsletter}」に掲載され、あなたへの感謝も載っています。共有ありがとうございます。',
  published_yours: 'あなたのニュース',
  published_thanks: 'あなたへの感謝',
  published_read: 'ニュースレターを読む',
  declined: '「{title}」をお送りいただきありがとうございます。今回は掲載を見送ることになりました。',
  messages_off: 'このメッセージを停止',
  messages_on: '再開する',
  messages_are_off: 'あなたのニュースについてのメッセージを停止しました。',
  messages_off_for_team:
    'あなたのニュースについてのメッセージを希望しました。現在はニュースレターの管理者が停止しているため、誰にも届きません。',
  messages_are_on: 'あなたのニュースについてのメッセージを再開しました。',
  submission_waiting: '確認待ち',
  submission_approved: '承認済み',
  submission_in_newsletter: '次のニュースレターに掲載予定',
  submission_published: '掲載済み',
  submission_not_used: '今回は見送り。お送りいただきありがとうございます',
  submission_deleted: '保存期間が終わったニュース',
  submissions_title: 'あなたのニュースの状況',
  submissions_none:
    'まだニュースを送っていません。たとえば次のように書いてください: {before}win バージョン 2 が完成しました',
  next_title: '次のニュースレター',
  next_dated: '「{title}」は {date} に予定されています。現在 {blocks, number} 件の記事があります。',
  next_undated: '「{title}」を準備中です。現在 {blocks, number} 件の記事があります。',
  next_none: '準備中のニュースレターはまだありません。',
  status_counts:
    '確認待ちは {drafts, number} 件、ニュースレター用に承認済みは {approved, number} 件です。',
  write_news: 'ニュースを書く',
  mention_reply: 'ここからニュースレター用のニュースを保存できます。',
  unread_reply:
    'このメッセージを読み取れなかったため、まだ保存していません。フォームには書いた内容が入っています。',
  ask_win_what: 'どのような成果がありましたか。一文で十分です。',
  ask_news_what: 'どのようなお知らせですか。一文で十分です。',
  ask_kudos_what: '何について感謝を伝えますか。',
  ask_kudos_who: '誰に感謝を伝えますか。',
  ask_welcome_who: 'どなたが、どの役割で入社しますか。',
  ask_mention: '返信では私をメンションしてください。このチャンネルの他のメッセージは読みません。',
  nothing_saved: '何も保存していません。',
  prompt_question: '今週うまくいったことは何ですか？',
  prompt_text:
    '新しいお客様、リリース、感謝したい人など、一文で十分です。書いた内容はニュースレターの編集者が確認します。',
  prompts_off: 'ここでの質問を停止',
  prompts_off_title: '質問を停止しますか？',
  prompts_off_text:
    'このチャンネルには質問が投稿されなくなります。質問を停止できるのは、ニュースレターの編集者だけです。',
  prompts_on: 'ここで再び質問する',
  prompts_stopped: 'このチャンネルではこの質問を停止しています。',
  prompts_stopped_by: '{person}さんがこのチャンネルでの質問を停止しました。',
  reminder: '{question} いつもニュースを寄せていただいています。今号にもまだ間に合います。',
  reminders_off: 'リマインダーを停止',
  reminders_on: 'リマインダーを再開',
  reminders_are_off: 'リマインダーを停止しました。',
  reminders_are_on: 'リマインダーを再開しました。',
  home_prompts: 'ニュースの質問',
  home_prompt_replies:
    '「{question}」{channel} {date}: {count, plural, =0 {回答なし} other {回答 # 件}}',
  account_link:
    '{link}すると、Tidings であなたが誰かがわかります。リンクは 15 分間、1 回だけ使えます。ほかの人に渡さないでください。',
  account_link_label: 'アカウントを連携',
  edit_title: '下書きを編集',
  edit_open: 'Tidings で開く',
  edit_in_tidings:
    'このフォームでは本文をすべて表示できないため、ここではタイトルだけを変更できます。',
  edit_saved: '変更を保存しました。',
  edit_conflict:
    'あなたが編集している間に{person}さんが「{title}」を変更したため、あなたの文章は保存されていません。あなたが書いた内容:',
  edit_conflict_elsewhere:
    'あなたが編集している間に「{title}」が変更されたため、あなたの文章は保存されていません。あなたが書いた内容:',
  edit_conflict_first:
    'あなたが保存したとき、{person}さんも「{title}」を編集していました。あなたの版が有効です。{person}さんにも伝えました。',
  edit_reviewed:
    'あなたが編集している間に「{title}」の確認が終わったため、あなたの文章は保存されていません。あなたが書いた内容:',
  home_review: 'あなたの確認待ち',
  home_review_oldest: '古い順に表示しています。すべての下書きは {link} にあります。',
  home_review_none: '確認待ちの下書きはありません。',
  home_welcome: 'ニュースレターへのニュース',
  command_help:
    '`/win バージョン 2 が完成しました` で、成果をニュースレター用に保存します。\n`/news`、`/kudos`、`/welcome` で、ニュース、感謝、新しい仲間の紹介を同じように保存できます。\n文章のないコマンドはフォームを開きます。メッセージを保存するには、メニューの「Add to newsletter」を使ってください。\n保存した内容は、送信前に編集者が確認します。',
  too_long: '長すぎるため（64 KiB 超）、保存されませんでした。',
  elsewhere: 'このコマンドは別のワークスペースのニュースレターのものです。何も保存していません。',
  undo: '取り消す',
  undo_not_yours: '取り消せるのは保存した本人だけです。',
  in_library: 'ニュースレター用に保存しました: {link}',
  in_library_already: 'すでにニュースレター用に保存されています: {link}',
  undone: '取り消しました。ニュースレターには載りません。',
  undone_kept: 'すでにニュースレターに入っているため、残ります: {links}。編集者が削除できます。',
  not_saved: '保存できませんでした。ニュースレターの管理者が理由を確認し、再実行できます。',
  not_public:
    'この方法で保存できるのは、公開チャンネルのメッセージだけです。ほかのメッセージを保存する前に、書いた人に確認してください。そのあと、フォームに入力してください。',
  not_undone: '取り消せませんでした。ニュースレターの管理者が理由を確認できます。',
  action_failed: 'うまくいきませんでした。ニュースレターの管理者が理由を確認し、再実行できます。',
  done: '完了しました。',
  form_title: 'ニュースレターに追加',
  form_save: '保存',
  form_cancel: 'キャンセル',
  form_field_title: 'タイトル',
  form_title_missing: 'タイトルを書いてください。',
  form_title_too_long: 'タイトルが長すぎます。{max, number} 文字まで入力できます。',
  form_field_text: '本文',
  form_field_kind: '種類',
  form_field_event: 'イベント',
  form_no_event: 'なし',
  type_general: 'ニュース',
  type_ceo_update: '経営陣より',
  type_team_spotlight: 'チーム紹介',
  type_new_starter: '新しい仲間',
  type_policy_change: '制度の変更',
  type_event_announcement: 'イベント',
  type_wins_milestones: '成果・マイルストーン',
  type_poll: 'アンケート',
  type_learning_development: '学び',
  form_private:
    '注意: このメッセージは非公開の会話のものです。ここに保存した内容は、ニュースレターを受け取る全員が読めます。先に書いた人に確認してください。',
  form_author: '{author}さんが書いたものです。名前は本文とともに掲載されます。',
  form_image: 'メッセージの画像も保存されます。',
  form_shortened: 'メッセージがフォームには長すぎるため、末尾を削除しました。',
  not_opened: '開けなかったため、何も変更されていません。もう一度ボタンを使ってください。',
  form_not_opened:
    'フォームを開けなかったため、何も保存していません。もう一度試すか、コマンドの後にニュースを書いてください: `{before}win バージョン 2 が完成しました`',
  saved: 'ニュースレター用に保存しました。',
  saved_link_follows: '保存しました。まもなくここにリンクを表示します。',
  saved_by_reaction:
    'ニュースレター用に保存しました: {link}。まず編集者が確認します。10 分以内にリアクションを外すと取り消せます。',
  nothing_written: '文章がなかったため、何も保存していません。',
  elsewhere_server: 'これは別のサーバーのニュースレターのものです。何も保存していません。',
  help_win: '`{before}win バージョン 2 が完成しました` で、成果をニュースレター用に保存します。',
  help_other:
    '`{before}news …`、`{before}kudos …`、`{before}welcome …` で、ニュース、感謝、新しい仲間の紹介を同じように保存できます。',
  help_review: '保存した内容は、送信前に編集者が確認します。',
  form_everyone: 'ニュースレターを受け取る全員がこれを読めます。',
  form_written_by: '{author}さんが書いたものです。',
  form_field_image: '画像',
  form_image_hint: '画像を入れない場合は、アドレスを消してください。',
  form_field_alt: '画像の説明',
  form_alt_hint: '画像を見られない人のための説明です。',
  tidings_help:
    '`{command}next` は次のニュースレター、`{command}mine` はあなたのニュースの状況、`{command}status` は確認待ちの件数を表示します。\n`{command}off` であなたのニュースについてのメッセージを停止し、`{command}on` で再開します。`{command}link` で、こちらのアカウントを Tidings のアカウントと連携します。',
  tidings_help_commands: '`/win`、`/news`、`/kudos`、`/welcome` で、ニュースレター用に保存します。',
}
